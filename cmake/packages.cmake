# `make deb`: four Debian packages by CPack, one for each component of cmake/install.cmake. What Debian's policy wants beside the
# files (copyright, changelog, overrides) comes from packaging/debian.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Hushwalk authors <hushwalk@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/strip.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# hushwalk_package(component name section summary description [depends...])
function(hushwalk_package component name section summary description)
  string(TOUPPER ${component} upper)
  list(JOIN ARGN ", " depends)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  set(documents ${PROJECT_BINARY_DIR}/debian/${name})
  file(MAKE_DIRECTORY ${documents})
  execute_process(COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/packaging/debian/changelog OUTPUT_FILE ${documents}/changelog.gz)
  install(FILES ${documents}/changelog.gz ${PROJECT_SOURCE_DIR}/packaging/debian/copyright
          DESTINATION share/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
  set(overrides ${PROJECT_SOURCE_DIR}/packaging/debian/${name}.lintian-overrides)
  if(EXISTS ${overrides})
    install(FILES ${overrides} DESTINATION share/lintian/overrides RENAME ${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
  endif()
endfunction()

hushwalk_package(program hushwalk science "rankings on graphs whose edges are secret"
  "Says which nodes matter most to a node (personalized PageRank and other\ngraph diffusions) with a proven bound on what any single edge can leak.\nEvery answer has a certificate that anyone can compute again, and a ledger\nkeeps count of what was given away.\n\nThis package has the command line, its manual and shell completions.")
hushwalk_package(development libhushwalk-dev libdevel "rankings on graphs whose edges are secret, C++ library"
  "Says which nodes matter most to a node (personalized PageRank and other\ngraph diffusions) with a proven bound on what any single edge can leak.\n\nThis package has the static libraries, the headers, a CMake package and a\npkg-config file."
  libfmt-dev libhwy-dev liblzma-dev libsqlite3-dev libssl-dev libtbb-dev libxxhash-dev libzstd-dev pkg-config zlib1g-dev)
hushwalk_package(python python3-hushwalk python "rankings on graphs whose edges are secret, Python module"
  "Says which nodes matter most to a node (personalized PageRank and other\ngraph diffusions) with a proven bound on what any single edge can leak.\n\nThis package has the module for Python 3."
  "python3 (>= 3.11)" "python3 (<< 3.12)" python3-numpy)
if(HUSHWALK_MPI)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  hushwalk_package(mpi hushwalk-mpi science "rankings on graphs whose edges are secret, for several machines"
    "Says which nodes matter most to a node (personalized PageRank and other\ngraph diffusions) with a proven bound on what any single edge can leak.\n\nThis package has the program for graphs that are spread over the processes\nof an MPI job. Its answers are those of one machine."
    "hushwalk (= ${PROJECT_VERSION})" openmpi-bin)
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/hushwalk/postinst
    ${PROJECT_SOURCE_DIR}/packaging/debian/hushwalk/prerm ${PROJECT_SOURCE_DIR}/packaging/debian/hushwalk/postrm)  # the unit of the service
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/python3-hushwalk/postinst
    ${PROJECT_SOURCE_DIR}/packaging/debian/python3-hushwalk/prerm)  # compiled when installed, removed with the rest
include(CPack)
