# Installs the files that a wheel has in addition to the Python package (pyproject.toml). They are the libraries and
# the worker process. The install prefix is the folder of the package.
#
# MOLGAUGE_PREBUILT: a finished build that contains the files. If it is set, nothing is built.
add_custom_target(molgauge_wheel)
if(MOLGAUGE_PREBUILT)
  include(${CMAKE_CURRENT_LIST_DIR}/MolgaugePrebuilt.cmake)
  molgauge_install_prebuilt(${MOLGAUGE_PREBUILT} libmolgauge.so libmolgauge_core.so molgauge-conformer-worker)
else()
  # The package memgauge (packaging/memory) takes its library from the same build.
  add_dependencies(molgauge_wheel molgauge_engine molgauge_conformer_worker molgauge_engine_memory)
  set_target_properties(molgauge_core molgauge_engine molgauge_conformer_worker PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS molgauge_core molgauge_engine molgauge_conformer_worker
          LIBRARY DESTINATION lib COMPONENT wheel RUNTIME DESTINATION lib COMPONENT wheel)
endif()
