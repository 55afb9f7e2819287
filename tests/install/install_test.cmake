# Installs Molgauge into a temporary folder, moves this folder, and builds and runs the example program with its
# contents. The example must not need files of the source tree. The installed library must not export names of
# third-party libraries.

set(work ${MOLGAUGE_BUILD}/install-test)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
  if(failed)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}: ${failed}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${MOLGAUGE_BUILD} --prefix ${work}/first)
file(RENAME ${work}/first ${work}/moved)

run(${work}/moved/bin/molgauge --version)
run(${work}/moved/bin/molgauge doctor)
if(NOT output MATCHES "LibTorch +[0-9]")
  message(FATAL_ERROR "the installed program does not find its part for training:\n${output}")
endif()
run(${work}/moved/bin/molgauge migrate python main.py --mode eval --output_dir o)
if(NOT output MATCHES "molgauge evaluate o")
  message(FATAL_ERROR "the installed program does not translate commands:\n${output}")
endif()

run(${CMAKE_COMMAND} -S ${MOLGAUGE_SOURCE}/examples/encode -B ${work}/example -G Ninja
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${work}/moved)
run(${CMAKE_COMMAND} --build ${work}/example)
file(WRITE ${work}/molecules.smi "CCO ethanol\nnonsense\nc1ccccc1 benzene\n")
run(${work}/example/encode_example ${work}/molecules.smi ${work}/features.npy ${work}/store)
if(NOT output MATCHES "3 rows of [0-9]+ numbers, 1 failed" OR NOT output MATCHES "line 2: ")
  message(FATAL_ERROR "the example printed:\n${output}")
endif()
if(NOT EXISTS ${work}/features.npy)
  message(FATAL_ERROR "the example wrote no features")
endif()

run(${CMAKE_COMMAND} -S ${MOLGAUGE_SOURCE}/examples/judge -B ${work}/judge -G Ninja
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${work}/moved)
run(${CMAKE_COMMAND} --build ${work}/judge)

file(GLOB_RECURSE libraries ${work}/moved/libmolgauge*.so)
list(LENGTH libraries count)
if(NOT count EQUAL 3)
  message(FATAL_ERROR "three libraries are installed, not: ${libraries}")
endif()
foreach(library IN LISTS libraries)
  run(nm --dynamic --defined-only --demangle ${library})
  string(REGEX MATCHALL "[^\n]+" symbols "${output}")
  foreach(symbol IN LISTS symbols)
    if(NOT symbol MATCHES "molgauge")
      message(FATAL_ERROR "${library} exports a name that is not Molgauge's: ${symbol}")
    endif()
  endforeach()
endforeach()
