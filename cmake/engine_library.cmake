# The CUE engine as a library for other programs: the rooms up to src/cue in one archive, the headers that its two faces
# (cue/value.h and cue/c_api.h) need, a CMake package and a pkg-config file; docs/embedding.md.
#
# The libraries that it stands on are named, not included: a program that uses one of them too has it once.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(engine_rooms base diag data cue_syntax cue_compile cue_eval cue_export cue_std cue_module cue_schema cue_load cue)
set(engine_objects)
foreach(room ${engine_rooms})
  list(APPEND engine_objects $<TARGET_OBJECTS:opm_${room}>)
endforeach()
add_library(engine_library STATIC ${engine_objects})
set_target_properties(engine_library PROPERTIES OUTPUT_NAME opm-cue EXPORT_NAME cue LINKER_LANGUAGE CXX)

set(engine_headers ${CMAKE_INSTALL_INCLUDEDIR}/opm-cue)
target_include_directories(engine_library INTERFACE $<INSTALL_INTERFACE:${engine_headers}>)

# opm_headers_behind(result header...): these, and all headers of ours that they include.
function(opm_headers_behind result)
  set(todo ${ARGN})
  set(found)
  while(todo)
    list(POP_FRONT todo header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} includes REGEX "^#include \"")
    foreach(line ${includes})
      string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" included "${line}")
      list(APPEND todo ${included})
    endforeach()
  endwhile()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

opm_headers_behind(public_headers cue/value.h cue/c_api.h cue/module/cache.h cue/module/build_list.h data/json.h data/yaml.h
  diag/printer.h)
foreach(header ${public_headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${engine_headers}/${folder} COMPONENT library)
endforeach()
opm_build_before_install(library engine_library)
install(TARGETS engine_library EXPORT opm-cue ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)

set(engine_package ${CMAKE_INSTALL_LIBDIR}/cmake/opm-cue)
set(engine_requirements "fmt re2 gmp mpfr yaml-0.1 libutf8proc libcrypto zlib")
install(EXPORT opm-cue NAMESPACE opm:: FILE opm-cue-targets.cmake DESTINATION ${engine_package} COMPONENT library)
configure_package_config_file(cmake/opm-cue-config.cmake.in ${CMAKE_BINARY_DIR}/opm-cue-config.cmake
  INSTALL_DESTINATION ${engine_package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/opm-cue-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/opm-cue-config.cmake ${CMAKE_BINARY_DIR}/opm-cue-config-version.cmake
  DESTINATION ${engine_package} COMPONENT library)
# The installed tree may be moved: what is in it is found from where the file stands.
file(RELATIVE_PATH way_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/opm-cue.pc.in ${CMAKE_BINARY_DIR}/opm-cue.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/opm-cue.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
