# SPDX-License-Identifier: MIT
# cpack -G DEB, in the build folder: reprise_VERSION_ARCHITECTURE.deb. Libraries it depends on are what dpkg-shlibdeps finds in the
# programs; a launcher, which no library names, is recommended.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME reprise)
set(CPACK_PACKAGE_VENDOR reprise)
set(CPACK_PACKAGE_CONTACT "The reprise developers")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The reprise developers <reprise@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"A recorder, loaded into an unmodified MPI program, writes one compressed trace
of the run. The command replays it in a simulator on platforms that are plain
files, and says what the run would take there and where it would wait.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin | mpich")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-pandas, bash-completion, binutils")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
