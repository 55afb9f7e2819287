# Installs the files that a wheel has in addition to the Python package (pyproject.toml). They are the libraries and
# the worker process. The install prefix is the folder of the package.
#
# HEADROOM_PREBUILT: a finished build that contains the files. If it is set, nothing is built.
add_custom_target(headroom_wheel)
if(HEADROOM_PREBUILT)
  include(${CMAKE_CURRENT_LIST_DIR}/HeadroomPrebuilt.cmake)
  headroom_install_prebuilt(${HEADROOM_PREBUILT} libheadroom.so libheadroom_core.so headroom-conformer-worker)
else()
  # The package headroom-memory (packaging/memory) takes its library from the same build.
  add_dependencies(headroom_wheel headroom_engine headroom_conformer_worker headroom_engine_memory)
  set_target_properties(headroom_core headroom_engine headroom_conformer_worker PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS headroom_core headroom_engine headroom_conformer_worker
          LIBRARY DESTINATION lib COMPONENT wheel RUNTIME DESTINATION lib COMPONENT wheel)
endif()
