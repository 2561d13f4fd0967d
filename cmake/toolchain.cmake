# How everything is compiled and linked, whatever the room.

set(OPM_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, comma separated; empty: none")
option(OPM_FUZZ "Build the libFuzzer programs (clang only)" OFF)
option(OPM_LTO "Optimise across files when linking (slower builds)" OFF)

option(OPM_PRECOMPILE "Read the headers that most files include once for all of them" OFF)

find_program(CCACHE ccache)
if(CCACHE)
  set(launcher ${CCACHE})
  if(OPM_PRECOMPILE)
    # Without these it keeps nothing that was made with precompiled headers. There are no clocks in them.
    set(launcher env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  endif()
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# The fastest linker that is installed: an incremental build is mostly linking. With LTO
# the compiler's own linker plugin is wanted, so the default stays.
find_program(MOLD mold)
find_program(LLD ld.lld)
if(NOT OPM_LTO)
  if(MOLD)
    add_link_options(-fuse-ld=mold)
  elseif(LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# Sections that nothing refers to are dropped: static archives bring many.
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)

if(OPM_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

if(OPM_SANITIZE)
  add_compile_options(-fsanitize=${OPM_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${OPM_SANITIZE})
endif()

if(OPM_FUZZ)
  # What the fuzzer steers by: every room reports which of its branches an input took.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
