cmake_minimum_required(VERSION 3.25)

# Writes the header FILE that says which commit of SOURCE is being built, when that has changed. Run at every build, so that
# it is true; a source that is in no repository has none, unless COMMIT says it.
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE failed)
set(modified false)
if(failed)
  set(commit "${COMMIT}")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(modified true)
  endif()
endif()
file(CONFIGURE OUTPUT ${FILE} @ONLY CONTENT "// Made by cmake/build_facts.cmake.
#pragma once
inline constexpr const char* kBuildCommit = \"@commit@\";
inline constexpr bool kBuildModified = @modified@;
")
