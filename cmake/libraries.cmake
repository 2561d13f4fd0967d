# The libraries that Debian gives us; docs/dependencies.md says why each is here.
#
# With OPM_STATIC they are linked from archives, and the program `opm` needs no shared library at all, not even the C
# library: loading them takes longer than a small run does. The names of the targets stay the same.

option(OPM_STATIC "Link archives, for a fast start and a program that runs wherever Linux does" OFF)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(CLI11 REQUIRED)
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()

pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(GMP REQUIRED IMPORTED_TARGET gmp)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl)

# opm_left_out(target archive): a library with the functions that libcurl's archive wants of libraries for protocols which opm does
# not speak (SSH, LDAP, RTMP) or for Kerberos. Only their names matter, and these the archive itself tells best; cmake/left_out.h.
function(opm_left_out target archive)
  execute_process(COMMAND ${CMAKE_NM} -u -P ${archive} OUTPUT_VARIABLE wanted ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "(^|\n)(gss_|ldap_|ber_|RTMP_|libssh2_)[A-Za-z0-9_]+" names "${wanted}")
  list(TRANSFORM names STRIP)
  list(REMOVE_DUPLICATES names)
  list(REMOVE_ITEM names libssh2_init)
  list(TRANSFORM names REPLACE "(.+)" "OPM_LEFT_OUT(\\1)")
  list(JOIN names "\n" lines)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/left_out.cpp CONTENT "#include \"left_out.h\"\n${lines}\n" @ONLY)
  add_library(${target} STATIC ${CMAKE_BINARY_DIR}/left_out.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake)
endfunction()

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

  # What libcurl stands on has archives as well, but for the protocols that opm does not speak.
  opm_use_archive(PkgConfig::CURL libcurl.a)
  foreach(archive libnghttp2.a libpsl.a libidn2.a libunistring.a libzstd.a libbrotlidec.a libbrotlicommon.a)
    find_library(${archive}_ARCHIVE NAMES ${archive} REQUIRED)
    list(APPEND curl_archives ${${archive}_ARCHIVE})
  endforeach()
  opm_left_out(curl_left_out ${libcurl.a_ARCHIVE})
  target_link_libraries(PkgConfig::CURL INTERFACE curl_left_out ${curl_archives} OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB)

  add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed)
else()
  find_package(OpenSSL REQUIRED)
  find_package(ZLIB REQUIRED)
endif()

if(OPM_STATIC OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Debian has no libfmt.a, and other compilers than the one it was made with give its templates other names; but its headers
  # hold the whole library.
  add_library(fmt STATIC cmake/fmt.cpp)
  add_library(fmt::fmt ALIAS fmt)
else()
  find_package(fmt REQUIRED)
endif()
