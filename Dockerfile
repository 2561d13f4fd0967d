# opm, built from this source. The result has the program, a CUE engine and the catalog in it, and nothing to compile with.
#   docker build -t opm . && docker run --rm -v "$PWD:/module" opm mod build
FROM debian:12-slim AS build
WORKDIR /source
COPY scripts scripts
RUN scripts/setup build
COPY . .
RUN cmake --preset release -DBUILD_TESTING=OFF \
 && cmake --build --preset release --target opm generated_pages \
 && cmake --install build/release --prefix /usr/local --strip

FROM debian:12-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates libcurl4 libsimdjson14 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/opm /usr/local/bin/kubectl-opm /usr/local/bin/
RUN useradd --create-home --uid 10001 opm
USER opm
WORKDIR /module
ENTRYPOINT ["opm"]
