# find_package(hushwalk), pkg-config and the command line; tests/golden/install_test.py proves them.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/hushwalk)

install(TARGETS hushwalk hushwalk_lab EXPORT hushwalk-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hushwalk_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/hushwalk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT hushwalk-targets NAMESPACE hushwalk:: DESTINATION ${package_folder})

configure_package_config_file(cmake/hushwalk-config.cmake.in ${PROJECT_BINARY_DIR}/hushwalk-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hushwalk-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/hushwalk.pc.in ${PROJECT_BINARY_DIR}/hushwalk.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hushwalk-config.cmake ${PROJECT_BINARY_DIR}/hushwalk-config-version.cmake
        DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/hushwalk.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
