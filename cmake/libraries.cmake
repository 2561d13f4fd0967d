# The libraries that Debian gives us; docs/dependencies.md says why each is here.
#
# With OPM_STATIC the archives are linked where Debian has them, because loading ten shared
# libraries takes longer than a small run does. The names of the targets stay the same.

option(OPM_STATIC "Link static archives where they exist, for a fast start" OFF)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(CLI11 REQUIRED)
find_package(simdjson REQUIRED)
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()

pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(GMP REQUIRED IMPORTED_TARGET gmp)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)

if(OPM_STATIC)
  set(OPENSSL_USE_STATIC_LIBS ON)
  find_package(OpenSSL REQUIRED)
  find_library(OPM_ZLIB_ARCHIVE NAMES libz.a REQUIRED)
  set(ZLIB_LIBRARY ${OPM_ZLIB_ARCHIVE})
  find_package(ZLIB REQUIRED)

  # opm_use_archive(target archive): link the archive in place of the shared library.
  function(opm_use_archive target archive)
    find_library(${archive}_ARCHIVE NAMES ${archive} REQUIRED)
    set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES ${${archive}_ARCHIVE} Threads::Threads)
  endfunction()
  opm_use_archive(PkgConfig::RE2 libre2.a)
  opm_use_archive(PkgConfig::GMP libgmp.a)
  opm_use_archive(PkgConfig::YAML libyaml.a)
  opm_use_archive(PkgConfig::MPFR libmpfr.a)
  opm_use_archive(PkgConfig::UTF8PROC libutf8proc.a)

  # There is no libsimdjson.a; the shared library is loaded when needed.
  get_target_property(simdjson_configurations simdjson::simdjson IMPORTED_CONFIGURATIONS)
  list(GET simdjson_configurations 0 simdjson_configuration)
  get_target_property(simdjson_soname simdjson::simdjson IMPORTED_SONAME_${simdjson_configuration})
  add_library(simdjson_on_demand STATIC cmake/simdjson.cpp)
  target_compile_definitions(simdjson_on_demand PRIVATE OPM_SIMDJSON_LIBRARY="${simdjson_soname}")
  target_link_libraries(simdjson_on_demand PUBLIC ${CMAKE_DL_LIBS})
  set(OPM_SIMDJSON simdjson_on_demand)

  # libcurl has an archive, but wants two dozen shared libraries; it is loaded when needed as well.
  add_library(curl_on_demand STATIC cmake/curl.cpp)
  target_compile_definitions(curl_on_demand PRIVATE OPM_CURL_LIBRARY="libcurl.so.4")
  target_link_libraries(curl_on_demand PUBLIC ${CMAKE_DL_LIBS})
  set(OPM_CURL curl_on_demand)

  # libm is part of the C library, which stays shared; few runs calculate.
  add_library(math_on_demand STATIC cmake/math.cpp)
  target_compile_options(math_on_demand PRIVATE -fno-builtin)
  target_compile_definitions(math_on_demand PRIVATE OPM_MATH_LIBRARY="libm.so.6")
  target_link_libraries(math_on_demand PUBLIC ${CMAKE_DL_LIBS})
  set(OPM_MATH math_on_demand)

  add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed)
else()
  find_package(OpenSSL REQUIRED)
  find_package(ZLIB REQUIRED)
  set(OPM_SIMDJSON simdjson::simdjson)
  set(OPM_CURL PkgConfig::CURL)
  set(OPM_MATH "")
endif()

if(OPM_STATIC OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Debian has no libfmt.a, and other compilers than the one it was made with give its templates other names; but its headers
  # hold the whole library.
  add_library(fmt STATIC cmake/fmt.cpp)
  add_library(fmt::fmt ALIAS fmt)
else()
  find_package(fmt REQUIRED)
endif()
