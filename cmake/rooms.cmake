# A room is a folder below src/: its *.cpp files make a library, its *_test.cpp files a
# test program that stands beside it. New files are picked up without touching CMake.

option(OPM_WERROR "Treat warnings as errors" ON)

function(opm_flags target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast
    -Wno-missing-field-initializers $<$<BOOL:${OPM_WERROR}>:-Werror>)
endfunction()

# opm_room(path [USES room...] [LINK target...])
function(opm_room path)
  cmake_parse_arguments(ROOM "" "" "USES;LINK" ${ARGN})
  string(REPLACE "/" "_" name ${path})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${path}/*.cpp)
  file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${path}/*_test.cpp)
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/src/cli/main.cpp)

  set(uses)
  foreach(used ${ROOM_USES})
    string(REPLACE "/" "_" used_name ${used})
    list(APPEND uses opm_${used_name})
  endforeach()

  if(sources)
    add_library(opm_${name} STATIC ${sources})
    opm_flags(opm_${name})
    target_link_libraries(opm_${name} PUBLIC ${uses} ${ROOM_LINK})
  else()
    add_library(opm_${name} INTERFACE)
    target_link_libraries(opm_${name} INTERFACE ${uses} ${ROOM_LINK})
  endif()

  if(tests AND BUILD_TESTING)
    add_executable(${name}_test ${tests})
    opm_flags(${name}_test)
    target_link_libraries(${name}_test PRIVATE opm_${name} GTest::gtest GTest::gmock GTest::gtest_main)
    add_test(NAME ${name} COMMAND ${name}_test)
  endif()
endfunction()
