# find_package(hushwalk), pkg-config, the command line with its manual, and the Python module; tests/golden/install_test.py proves
# them. Components are the packages of `make deb` (cmake/packages.cmake).
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hushwalk)

install(TARGETS hushwalk_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS hushwalk hushwalk_lab EXPORT hushwalk-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/hushwalk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT hushwalk-targets NAMESPACE hushwalk:: DESTINATION ${package_folder} COMPONENT development)

configure_package_config_file(cmake/hushwalk-config.cmake.in ${PROJECT_BINARY_DIR}/hushwalk-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hushwalk-config-version.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # so that it holds wherever it is installed
configure_file(cmake/hushwalk.pc.in ${PROJECT_BINARY_DIR}/hushwalk.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hushwalk-config.cmake ${PROJECT_BINARY_DIR}/hushwalk-config-version.cmake
        DESTINATION ${package_folder} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/hushwalk.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# The pages that certificates, --help and messages name.
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/hushwalk/docs COMPONENT program FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.json"
        PATTERN "_static" EXCLUDE PATTERN "screens" EXCLUDE
        PATTERN "api.md" EXCLUDE PATTERN "python-api.md" EXCLUDE PATTERN "command-line.md" EXCLUDE
        PATTERN "changelog.md" EXCLUDE PATTERN "examples.md" EXCLUDE)  # empty without what the site puts in

# The service, for systemd.
install(FILES packaging/debian/hushwalk.service DESTINATION lib/systemd/system COMPONENT program)
install(FILES packaging/serve.toml DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/hushwalk/examples COMPONENT program)

# Man pages and completions, from the program's own --help; `cmake --build build/release --target hushwalk_manual` makes them.
file(GLOB manual_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/packaging/*.py ${PROJECT_SOURCE_DIR}/packaging/make-manual)
function(hushwalk_manual_of program target component)
  set(manual ${PROJECT_BINARY_DIR}/${target})
  add_custom_command(OUTPUT ${manual}/made
                     COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
                     COMMAND ${PROJECT_SOURCE_DIR}/packaging/make-manual $<TARGET_FILE:${program}> ${manual}/share
                     COMMAND ${CMAKE_COMMAND} -E touch ${manual}/made
                     DEPENDS ${program} ${manual_sources} VERBATIM)
  add_custom_target(${target} DEPENDS ${manual}/made)
  install(DIRECTORY ${manual}/share/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR} COMPONENT ${component} OPTIONAL)
endfunction()
hushwalk_manual_of(hushwalk_cli hushwalk_manual program)

if(HUSHWALK_MPI)
  install(TARGETS hushwalk_mpi_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi OPTIONAL)
  hushwalk_manual_of(hushwalk_mpi_cli hushwalk_mpi_manual mpi)
endif()

if(HUSHWALK_PYTHON)
  set(python_folder lib/python3/dist-packages/hushwalk)
  file(GLOB layer CONFIGURE_DEPENDS python/hushwalk/*.py python/hushwalk/*.pyi python/hushwalk/py.typed)
  install(FILES ${layer} DESTINATION ${python_folder} COMPONENT python)
  install(TARGETS hushwalk_python LIBRARY DESTINATION ${python_folder} COMPONENT python)
endif()
