# What `cmake --install` puts where: the program, its name as a plugin of kubectl, manual pages and completions. The latter
# are made by the program that is installed.
include(GNUInstallDirs)

# Whoever has built only the program, as scripts/build does, can install all the same.
function(opm_build_before_install component)
  set(targets ${ARGN})
  list(JOIN targets " " targets)
  install(CODE "
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target ${targets}
      OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
endfunction()

opm_build_before_install(Unspecified opm generated_pages)
install(TARGETS opm RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS cmake/kubectl_complete-opm DESTINATION ${CMAKE_INSTALL_BINDIR})
install(CODE [[
  file(CREATE_LINK opm "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/kubectl-opm" SYMBOLIC)
]])

set(generated ${CMAKE_BINARY_DIR}/generated)
add_custom_command(
  OUTPUT ${generated}/stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${generated}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
  COMMAND opm __manual ${generated}/man1
  COMMAND opm completion bash > ${generated}/opm
  COMMAND opm completion zsh > ${generated}/_opm
  COMMAND opm completion fish > ${generated}/opm.fish
  COMMAND opm version --sbom > ${generated}/sbom.cdx.json
  COMMAND ${CMAKE_COMMAND} -E touch ${generated}/stamp
  DEPENDS opm
  VERBATIM)
add_custom_target(generated_pages ALL DEPENDS ${generated}/stamp)
install(DIRECTORY ${generated}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${generated}/opm DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_opm DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${generated}/opm.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${generated}/sbom.cdx.json LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# `cpack --config build/release/CPackConfig.cmake` makes a package of Debian of it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME opm)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The opm authors <opm@example.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Render, check and deliver OPM modules, with a CUE engine built in")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# What programs are built with is no part of what runs.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};opm;Unspecified;/")
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
# It needs no library; which certificates to trust, the system tells.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "kubernetes-client, git")
include(CPack)
