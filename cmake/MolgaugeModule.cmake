# Functions that turn a folder of src/ into a library. The library can include only headers of the folders that it
# links.
#
# Each module has an include root: a folder in the build tree with a single link to the sources of the module.
# `#include "molecules/store/features/feature_store.h"` compiles only in a target that links
# molgauge_store_features.

# Compiles with fewer optimisations, which takes a third less time. It is for tests, and for modules that leave heavy
# computation to other modules. GCC 12 wrongly warns of uninitialised members of std::function at -Og.
add_library(molgauge_quick_to_compile INTERFACE)
target_compile_options(molgauge_quick_to_compile INTERFACE
  $<$<CONFIG:Release>:-Og $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>>)
# In GCC 14, -Og switches these two options off. Precompiled headers need the same options in all files.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag("-munroll-only-small-loops -mvzeroupper" MOLGAUGE_OG_NEEDS_OPTIONS)
if(MOLGAUGE_OG_NEEDS_OPTIONS)
  target_compile_options(molgauge_quick_to_compile INTERFACE
    "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-munroll-only-small-loops;-mvzeroupper>")
endif()

# Settings for the code of the program. GCC starts garbage collection only at 600 MB, because each collection
# scans the precompiled headers.
add_library(molgauge_program_code INTERFACE)
target_compile_options(molgauge_program_code INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=600000>)

# molgauge_module_name(FOLDER VARIABLE): sets VARIABLE to the name of the module, without the two commonest products.
function(molgauge_module_name folder variable)
  string(REGEX REPLACE "^(base|molecules)/" "" name ${folder})
  string(REPLACE "/" "_" name ${name})
  set(${variable} ${name} PARENT_SCOPE)
endfunction()

# molgauge_module(NAME SOURCES file... [PUBLIC lib...] [PRIVATE lib...] [SHARED] [TORCH] [PART] [QUICK_TO_COMPILE])
#   NAME: the folder in src/. `base/io/bytes` becomes molgauge_io_bytes, `molecules/chem` molgauge_chem, and
#   `pockets/graphs` molgauge_pockets_graphs.
#   TORCH: the sources include LibTorch.
#   PART: the folder belongs to another module, which the target must link.
#   QUICK_TO_COMPILE: the module has no performance-critical loops over atoms, rows or bytes.
function(molgauge_module folder)
  cmake_parse_arguments(ARG "SHARED;TORCH;PART;QUICK_TO_COMPILE" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  molgauge_module_name(${folder} name)
  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  endif()
  add_library(molgauge_${name} ${kind} ${ARG_SOURCES})
  if(ARG_SHARED AND NOT SKBUILD)
    # Versions the library, because C++ programs must be built again for each minor version
    # (docs/reference/versions.md). Not in wheels, because they cannot contain the symbolic links.
    set_target_properties(molgauge_${name} PROPERTIES VERSION ${PROJECT_VERSION}
                          SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  endif()
  if(NOT ARG_PART AND NOT ARG_SHARED AND NOT ARG_TORCH)
    set_property(GLOBAL APPEND PROPERTY MOLGAUGE_MODULES_WITHOUT_TORCH ${name})
  endif()
  if(NOT ARG_PART)
    molgauge_include_root(${folder} ${CMAKE_CURRENT_SOURCE_DIR})
    target_include_directories(molgauge_${name} PUBLIC ${CMAKE_BINARY_DIR}/include-roots/${name})
  endif()
  set_target_properties(molgauge_${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 32)
  target_link_libraries(molgauge_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} molgauge_strict molgauge_program_code)
  if(ARG_QUICK_TO_COMPILE)
    target_link_libraries(molgauge_${name} PRIVATE molgauge_quick_to_compile)
  endif()
  if(ARG_TORCH)
    target_link_libraries(molgauge_${name} PUBLIC molgauge_libtorch)
    molgauge_precompile(molgauge_${name} aten)
  else()
    molgauge_precompile(molgauge_${name} plain)
  endif()
endfunction()

# molgauge_cuda_sources(TARGET file.cu...): adds GPU kernels to a module if nvcc is available, and defines
# MOLGAUGE_CUDA_KERNELS for its sources. The kernels are a separate library, because nvcc does not accept the
# C++ flags and precompiled headers.
function(molgauge_cuda_sources target)
  if(NOT MOLGAUGE_CUDA_KERNELS)
    return()
  endif()
  add_library(${target}_kernels STATIC ${ARGN})
  target_include_directories(${target}_kernels PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_options(${target}_kernels PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra$<$<BOOL:${MOLGAUGE_WARNINGS_AS_ERRORS}>:,-Werror>>)
  # Kernels use C++17, because CMake 3.25 does not know the C++20 flag of nvcc 13.
  set_target_properties(${target}_kernels PROPERTIES UNITY_BUILD OFF CUDA_STANDARD 17)
  target_compile_definitions(${target} PRIVATE MOLGAUGE_CUDA_KERNELS=1)
  target_link_libraries(${target} PUBLIC ${target}_kernels)
endfunction()

# molgauge_include_root(FOLDER PATH): makes a folder in the build tree in which FOLDER is a link to PATH.
function(molgauge_include_root folder path)
  molgauge_module_name(${folder} name)
  set(link ${CMAKE_BINARY_DIR}/include-roots/${name}/${folder})
  get_filename_component(root ${link} DIRECTORY)
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${path} ${link} SYMBOLIC)
endfunction()

# molgauge_embed(SOURCE HEADER NAMESPACE function=file...): writes SOURCE, in which each function returns the text of its file
# (CSS, JavaScript) as a std::string_view. HEADER declares the functions.
function(molgauge_embed source header namespace)
  set(texts)
  set(files)
  foreach(pair IN LISTS ARGN)
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 function)
    list(GET pair 1 file)
    list(APPEND texts ${function}=${CMAKE_CURRENT_SOURCE_DIR}/${file})
    list(APPEND files ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D OUT=${source} -D HEADER=${header} -D NAMESPACE=${namespace} "-DTEXTS=${texts}"
            -P ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/EmbedText.cmake
    VERBATIM)
endfunction()

# molgauge_export_only(MODULE MAP): makes a shared library export only the symbols in the version script MAP. Has no
# effect with sanitizers. They replace symbols of the C++ library, which must stay visible.
function(molgauge_export_only module map)
  if(MOLGAUGE_SANITIZE OR MOLGAUGE_FUZZ)
    return()
  endif()
  set(map ${CMAKE_SOURCE_DIR}/cmake/${map})
  target_link_options(molgauge_${module} PRIVATE -Wl,--version-script=${map})
  set_target_properties(molgauge_${module} PROPERTIES LINK_DEPENDS ${map})
endfunction()

# molgauge_precompile(TARGET SET): precompiles common headers once for all targets of a set:
#   plain       the standard library, fmt and JSON
#   tests       the headers of plain, and GoogleTest
#   aten        ATen
#   aten_tests  ATen and GoogleTest
# Sources include all headers that they use, so a build with MOLGAUGE_PCH=OFF works as well.
function(molgauge_precompile target set)
  if(NOT MOLGAUGE_PCH)
    return()
  endif()
  if(NOT TARGET molgauge_${set}_pch)
    set(headers <algorithm> <filesystem> <fstream> <functional> <map> <memory> <mutex> <optional> <span> <string> <vector>
                <fmt/format.h> <nlohmann/json.hpp>)
    set(libraries molgauge_logging nlohmann_json::nlohmann_json)
    if(set MATCHES "aten")
      set(headers <ATen/ATen.h>)
      set(libraries molgauge_libtorch)
    endif()
    if(set MATCHES "tests")
      list(APPEND headers <gmock/gmock.h> <gtest/gtest.h>)
      list(APPEND libraries GTest::gmock molgauge_quick_to_compile)
    endif()
    # file(CONFIGURE) does not rewrite an unchanged file. A newer file would recompile all targets that use the
    # headers.
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${set}_pch.cpp CONTENT "// holds precompiled headers\n")
    add_library(molgauge_${set}_pch OBJECT ${CMAKE_BINARY_DIR}/${set}_pch.cpp)
    target_link_libraries(molgauge_${set}_pch PRIVATE ${libraries} molgauge_strict)
    target_precompile_headers(molgauge_${set}_pch PRIVATE ${headers})
  endif()
  # Executables also need -fPIC, because the precompiled headers are compiled with it and not with -fPIE.
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM molgauge_${set}_pch)
endfunction()

# molgauge_compile_alone(file...): excludes sources from unity builds (preset release) because their names
# would collide with names in other files of the target.
function(molgauge_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# molgauge_verbs(folder...): adds the option table (options.cpp) of each verb to the option tables, and the code that
# runs the verb on the command line and prints its report (command.cpp) to the program.
function(molgauge_verbs)
  foreach(folder IN LISTS ARGN)
    set(options ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/options.cpp)
    set(command ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/command.cpp)
    if(EXISTS ${options})
      target_sources(molgauge_options PRIVATE ${options})
      # Compiled one by one, because each file defines tables with the same names.
      set_source_files_properties(${options} TARGET_DIRECTORY molgauge_options PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    if(EXISTS ${command})
      set_property(GLOBAL APPEND PROPERTY MOLGAUGE_COMMANDS ${command})
    endif()
  endforeach()
endfunction()

# Time limits of tests. Sanitizers make programs several times slower.
set(molgauge_test_seconds 600)
set(molgauge_long_test_seconds 1200)
if(MOLGAUGE_SANITIZE)
  set(molgauge_test_seconds 7200)
  set(molgauge_long_test_seconds 7200)
endif()

# molgauge_test(MODULE SOURCES file... [LINK lib...] [TORCH] [PARITY] [LONG] [SHARDS n])
#   Adds a GoogleTest program for a module.
#   PARITY: suites whose name ends in "Parity" compare results with the reference fixtures. They form a separate test
#   with the label parity. They skip with a message if the fixtures are absent.
#   LONG: the test takes more than ten seconds. ctest starts it early, so that no long test is left at the end.
#   TORCH: the program uses LibTorch, whose generator is seeded before each test (tests/support/seeded_torch.cpp).
#   SHARDS: ctest runs slow tests in n parallel parts, MODULE.1, MODULE.2 and so on.
function(molgauge_test module)
  cmake_parse_arguments(ARG "TORCH;PARITY;LONG" "SHARDS" "SOURCES;LINK" ${ARGN})
  set(target test_${module})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LINK} molgauge_test_support GTest::gmock GTest::gtest_main molgauge_strict
                        molgauge_quick_to_compile)
  if(ARG_TORCH)
    target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests/support/seeded_torch.cpp)
    target_link_libraries(${target} PRIVATE molgauge_libtorch)
    molgauge_precompile(${target} aten_tests)
  else()
    molgauge_precompile(${target} tests)
  endif()
  if(ARG_SHARDS)
    foreach(shard RANGE 1 ${ARG_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${module}.${shard} COMMAND ${target} --gtest_filter=-*Parity.*)
      # ctest starts tests with a COST first, so no long test is left at the end.
      set_tests_properties(${module}.${shard} PROPERTIES LABELS fast TIMEOUT ${molgauge_long_test_seconds} COST 100
                           ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
  else()
    add_test(NAME ${module} COMMAND ${target} --gtest_filter=-*Parity.*)
    set_tests_properties(${module} PROPERTIES LABELS fast TIMEOUT ${molgauge_test_seconds})
    if(ARG_LONG)
      set_tests_properties(${module} PROPERTIES COST 50)
    endif()
  endif()
  if(ARG_PARITY)
    add_test(NAME ${module}.parity COMMAND ${target} --gtest_filter=*Parity.*)
    set_tests_properties(${module}.parity PROPERTIES LABELS parity TIMEOUT ${molgauge_long_test_seconds})
  endif()
endfunction()
