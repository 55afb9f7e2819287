# Defines targets for third-party dependencies, and molgauge_strict with the compiler flags of our own code.

find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)

if(NOT MOLGAUGE_KERNELS_ONLY)
  include(cmake/MolgaugeLibTorch.cmake)
endif()

if(MOLGAUGE_ENGINE_ONLY)
  # A plain GPU machine may have only the headers of spdlog and fmt. They are compiled into our code.
  find_path(SPDLOG_INCLUDE spdlog/spdlog.h REQUIRED)
  # Uses the fmt that is installed next to spdlog, because LibTorch from PyPI contains another version of fmt.
  find_path(FMT_INCLUDE fmt/core.h PATHS ${SPDLOG_INCLUDE} NO_DEFAULT_PATH REQUIRED)
  add_library(molgauge_logging INTERFACE)
  target_compile_definitions(molgauge_logging INTERFACE SPDLOG_HEADER_ONLY SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
  target_include_directories(molgauge_logging SYSTEM INTERFACE ${SPDLOG_INCLUDE} ${FMT_INCLUDE})
  # zlib is optional. It is needed only to read compressed files.
  find_package(ZLIB)
else()
  find_package(fmt REQUIRED)
  find_package(spdlog REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(ZLIB REQUIRED)
  find_package(OpenSSL REQUIRED COMPONENTS Crypto)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LMDB REQUIRED IMPORTED_TARGET lmdb)
  pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)

  add_library(molgauge_logging INTERFACE)
  target_link_libraries(molgauge_logging INTERFACE fmt::fmt spdlog::spdlog)

  # gemmi reads the structures of molecules, and expat reads XML files: force fields and spreadsheets.
  find_package(EXPAT REQUIRED)
  find_package(Boost REQUIRED COMPONENTS iostreams)  # bzip2 and xz
  pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
  find_path(GEMMI_INCLUDE gemmi/mmread.hpp REQUIRED)
  add_library(molgauge_gemmi INTERFACE)
  target_include_directories(molgauge_gemmi SYSTEM INTERFACE ${GEMMI_INCLUDE})
  # The gemmi of Debian 12 has only headers. In Debian 13, a part of gemmi is in this library.
  find_library(GEMMI_LIBRARY gemmi_cpp)
  if(GEMMI_LIBRARY)
    target_link_libraries(molgauge_gemmi INTERFACE ${GEMMI_LIBRARY})
  endif()
  target_link_libraries(molgauge_gemmi INTERFACE ZLIB::ZLIB)

  find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
  add_library(molgauge_tomlplusplus INTERFACE)
  target_include_directories(molgauge_tomlplusplus SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE})

  # The RDKit package of Debian contains no CMake files.
  find_path(RDKIT_INCLUDE GraphMol/ROMol.h PATH_SUFFIXES rdkit REQUIRED)
  add_library(molgauge_rdkit INTERFACE)
  target_include_directories(molgauge_rdkit SYSTEM INTERFACE ${RDKIT_INCLUDE})
  foreach(part GraphMol SmilesParse FileParsers Fingerprints Descriptors FilterCatalog Catalogs PartialCharges Depictor ChemTransforms MolStandardize MolDraw2D SubstructMatch DataStructs RDGeneral)
    find_library(RDKIT_${part} RDKit${part} REQUIRED)
    target_link_libraries(molgauge_rdkit INTERFACE ${RDKIT_${part}})
  endforeach()
  # The libraries that generate conformers. Only the worker process loads them.
  add_library(molgauge_rdkit_embedding INTERFACE)
  target_link_libraries(molgauge_rdkit_embedding INTERFACE molgauge_rdkit)
  foreach(part DistGeomHelpers ForceFieldHelpers ForceField RDGeometryLib)
    find_library(RDKIT_${part} RDKit${part} REQUIRED)
    target_link_libraries(molgauge_rdkit_embedding INTERFACE ${RDKIT_${part}})
  endforeach()
endif()

add_library(molgauge_strict INTERFACE)
set(warnings_as_errors)
if(MOLGAUGE_WARNINGS_AS_ERRORS)
  set(warnings_as_errors -Werror)
endif()
target_compile_options(molgauge_strict INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                                 -Woverloaded-virtual ${warnings_as_errors})
# GCC 12 warns about impossible sizes and overlapping copies inside std::string (GCC bug 105651), mostly with
# precompiled headers.
target_compile_options(molgauge_strict INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds>)
# With sanitizers, clang does not vectorise loops with `omp simd` and warns about it.
target_compile_options(molgauge_strict INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
if(MOLGAUGE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(MOLGAUGE_SANITIZE)
  add_compile_options(-fsanitize=${MOLGAUGE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MOLGAUGE_SANITIZE})
  # Files with -O3 also need this flag, because the pass of GCC 12.2 that it switches off crashes with sanitizers.
  set(molgauge_flags_with_o3 $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-cp>)
  # In code with sanitizers, GCC 12 warns that std::regex uses uninitialised memory.
  target_compile_options(molgauge_strict INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # ThreadSanitizer of GCC does not support the fences of Boost.Asio and warns about them.
  if(MOLGAUGE_SANITIZE MATCHES "thread")
    set(molgauge_flags_with_asio $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
endif()

add_library(molgauge_xxhash INTERFACE)
target_include_directories(molgauge_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE})
