# molgauge_install_prebuilt(FOLDER NAME...): installs libraries and programs of the finished build FOLDER into lib/ of
# a wheel. A wheel cannot hold symbolic links. A library that other libraries link gets the file name that these
# libraries record.
function(molgauge_install_prebuilt folder)
  foreach(name IN LISTS ARGN)
    set(file ${folder}/lib/${name})
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "${file} does not exist. Set the environment variable MOLGAUGE_PREBUILT to the folder of a "
                          "finished build, for example build/release after make program")
    endif()
    set(installed_name ${name})
    if(name STREQUAL "libmolgauge_core.so" AND IS_SYMLINK ${file})
      file(READ_SYMLINK ${file} installed_name)
    endif()
    file(REAL_PATH ${file} file)
    install(PROGRAMS ${file} DESTINATION lib COMPONENT wheel RENAME ${installed_name})
  endforeach()
endfunction()
