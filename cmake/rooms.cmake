# A room is a folder below src/: its *.cpp files make a library, its *_test.cpp files a
# test program that stands beside it. New files are picked up without touching CMake.
#
# Files *_threads_test.cpp make a second program, which is what ThreadSanitizer runs: it is
# too slow for everything, and only has something to say where there are threads.

option(OPM_WERROR "Treat warnings as errors" ON)

add_custom_target(unit_tests)
add_custom_target(threads_tests)

function(opm_flags target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # -Wrestrict: gcc 12 warns of its own std::string at -O2 (gcc bug 105651).
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast
    -Wno-missing-field-initializers -Wno-restrict $<$<BOOL:${OPM_WERROR}>:-Werror>)
endfunction()

# opm_test_program(name label LINK target... SOURCES file...)
function(opm_test_program name label)
  cmake_parse_arguments(PROGRAM "" "" "LINK;SOURCES" ${ARGN})
  add_executable(${name}_test ${PROGRAM_SOURCES})
  opm_flags(${name}_test)
  target_link_libraries(${name}_test PRIVATE ${PROGRAM_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name}_test)
  set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT 600)
  add_dependencies(unit_tests ${name}_test)
  if(label STREQUAL "unit;threads")
    add_dependencies(threads_tests ${name}_test)
  endif()
endfunction()

# opm_room(path [SMALL] [USES room...] [LINK target...])
#
# SMALL: what users run is compiled for size, not for speed.
function(opm_room path)
  cmake_parse_arguments(ROOM "SMALL" "" "USES;LINK" ${ARGN})
  string(REPLACE "/" "_" name ${path})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${path}/*.cpp)
  set(tests ${sources})
  set(threads_tests ${sources})
  list(FILTER threads_tests INCLUDE REGEX "_threads_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests EXCLUDE REGEX "_threads_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/src/cli/main.cpp)

  set(uses)
  foreach(used ${ROOM_USES})
    string(REPLACE "/" "_" used_name ${used})
    list(APPEND uses opm_${used_name})
  endforeach()

  if(sources)
    add_library(opm_${name} STATIC ${sources})
    opm_flags(opm_${name})
    if(ROOM_SMALL)
      target_compile_options(opm_${name} PRIVATE $<$<CONFIG:Release>:-Os>)
    endif()
    target_link_libraries(opm_${name} PUBLIC ${uses} ${ROOM_LINK})
  else()
    add_library(opm_${name} INTERFACE)
    target_link_libraries(opm_${name} INTERFACE ${uses} ${ROOM_LINK})
  endif()

  if(BUILD_TESTING)
    if(tests)
      opm_test_program(${name} "unit" LINK opm_${name} SOURCES ${tests})
    endif()
    if(threads_tests)
      opm_test_program(${name}_threads "unit;threads" LINK opm_${name} SOURCES ${threads_tests})
    endif()
  endif()
endfunction()
