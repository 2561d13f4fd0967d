# opm, built from this source. The result has the program, a CUE engine and the catalog in it, and nothing to compile with.
#   docker build -t opm --build-arg COMMIT="$(git rev-parse HEAD)" . && docker run --rm -v "$PWD:/module" opm mod build
# scripts/image does the same, also where there is only buildah.
FROM debian:12-slim AS build
ARG COMMIT=
WORKDIR /source
COPY scripts scripts
RUN scripts/setup build
COPY . .
RUN cmake --preset release -DBUILD_TESTING=OFF -DOPM_COMMIT="$COMMIT" \
 && cmake --build --preset release --target opm generated_pages \
 && cmake --install build/release --component Unspecified --prefix /usr/local --strip

FROM debian:12-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/opm /usr/local/bin/kubectl-opm /usr/local/bin/
COPY --from=build /usr/local/share/doc/opm /usr/local/share/doc/opm
RUN useradd --create-home --uid 10001 opm
USER opm
WORKDIR /module
ENTRYPOINT ["opm"]
