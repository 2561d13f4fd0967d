# Half of what compiling a small file takes is reading headers. Those that most files of a room include are read once, and what
# they come to is shared with the rooms that use much the same.
#
# Only what users run is built so. The other presets compile each file by itself: that is where a missing include shows.

# opm_precompile(room [FOR room...] HEADERS header...)
#
# The headers are for the files of the room itself and for those of the rooms named after it. They are the compiler's own and
# the libraries', or stand in a room that all of these may use.
function(opm_precompile room)
  cmake_parse_arguments(PRECOMPILE "" "" "FOR;HEADERS" ${ARGN})
  if(NOT OPM_PRECOMPILE)
    return()
  endif()
  set(headers ${PRECOMPILE_HEADERS})
  list(TRANSFORM headers REPLACE "^[^<].*$" "\"\\0\"")  # as a file would include it, whatever folder this is in
  string(REPLACE "/" "_" owner opm_${room})
  target_precompile_headers(${owner} PRIVATE ${headers})
  foreach(user ${room} ${PRECOMPILE_FOR})
    string(REPLACE "/" "_" user opm_${user})
    if(NOT user STREQUAL owner)
      target_precompile_headers(${user} REUSE_FROM ${owner})
    endif()
    # Some rooms have it from a library, but all that share headers have to be compiled alike.
    target_compile_options(${user} PRIVATE -pthread)
    # gcc forgets which warnings a precompiled header turns off within itself: these are what <string> does.
    target_compile_options(${user} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
  endforeach()
endfunction()

set(standard_headers <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <cstring> <deque> <expected> <functional> <map> <memory>
  <mutex> <optional> <set> <span> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/core.h>)
# Rooms that share have to be optimised alike, as gcc takes that from the precompiled headers. Not for cue/syntax: no other is
# as it is.
opm_precompile(base FOR diag data cue/compile
  HEADERS ${standard_headers})
opm_precompile(cue/schema FOR cue/module http oci kube
  HEADERS ${standard_headers})
opm_precompile(cue/eval FOR cue/export cue/std cue
  HEADERS ${standard_headers} cue/eval/evaluator.h)
opm_precompile(cue/load FOR opm/builtin opm/config opm/model opm/values
  HEADERS ${standard_headers} cue/compile/program.h cue/load/load.h)
opm_precompile(opm/render FOR opm/release lsp
  HEADERS ${standard_headers} cue/value.h opm/config/configuration.h opm/render/options.h opm/render/result.h)
opm_precompile(cli
  HEADERS ${standard_headers} cue/value.h opm/config/configuration.h opm/render/options.h opm/render/result.h
          cli/cluster_flags.h cli/command_line.h cli/configure.h cli/cue_flags.h cli/render_flags.h cli/session.h)
