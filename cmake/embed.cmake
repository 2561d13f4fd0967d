# Files that travel inside the program. They stand in read-only data as they are: the text of the catalog is
# smaller than the code that would unpack it, and pages that nobody reads are never loaded.

# opm_embed(target symbol FOLDER folder FILES path...)
#
# Adds to the target an archive of files, which base/embedded_files.h reads: how many there are, a table of (name, size
# of it, content, size of it) as offsets from the start, then names and contents. Paths are below the folder.
function(opm_embed target symbol)
  cmake_parse_arguments(EMBED "" "FOLDER" "FILES" ${ARGN})
  set(paths ${EMBED_FILES})
  list(SORT paths)  # what looks them up relies on the order
  list(LENGTH paths count)
  set(table "")
  set(contents "")
  set(dependencies)
  set(number 0)
  foreach(path ${paths})
    string(APPEND table "  .long .Lname${number} - ${symbol}, .Lname_end${number} - .Lname${number}\n"
      "  .long .Lfile${number} - ${symbol}, .Lfile_end${number} - .Lfile${number}\n")
    string(APPEND contents ".Lname${number}:\n  .ascii \"${path}\"\n.Lname_end${number}:\n"
      ".Lfile${number}:\n  .incbin \"${EMBED_FOLDER}/${path}\"\n.Lfile_end${number}:\n")
    list(APPEND dependencies ${EMBED_FOLDER}/${path})
    math(EXPR number "${number} + 1")
  endforeach()
  set(assembly ${CMAKE_BINARY_DIR}/embedded/${symbol}.s)
  file(CONFIGURE OUTPUT ${assembly} @ONLY CONTENT "  .section .rodata.${symbol},\"a\",%progbits
  .globl ${symbol}
  .hidden ${symbol}
  .balign 8
${symbol}:
  .long ${count}
${table}${contents}  .section .note.GNU-stack,\"\",%progbits
")
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS "${dependencies}")
  target_sources(${target} PRIVATE ${assembly})
endfunction()

# opm_embed_image(target symbol file [WHOLE_PAGES])
#
# Adds to the target the bytes of one file that is made during the build. On pages of their own, in a section named after the symbol,
# they can be linked to an address or moved there (base/move_pages.h); arm64 has pages of 64 KiB.
function(opm_embed_image target symbol file)
  cmake_parse_arguments(EMBED "WHOLE_PAGES" "" "" ${ARGN})
  set(section .rodata.${symbol})
  set(alignment 64)
  if(EMBED_WHOLE_PAGES)
    set(section .${symbol})
    set(alignment 4096)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
      set(alignment 65536)
    endif()
  endif()
  set(assembly ${CMAKE_BINARY_DIR}/embedded/${symbol}.s)
  file(CONFIGURE OUTPUT ${assembly} @ONLY CONTENT "  .section ${section},\"a\",%progbits
  .globl ${symbol}
  .hidden ${symbol}
  .balign ${alignment}
${symbol}:
  .incbin \"${file}\"
  .balign ${alignment}
  .section .note.GNU-stack,\"\",%progbits
")
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS "${file}")
  target_sources(${target} PRIVATE ${assembly})
endfunction()
