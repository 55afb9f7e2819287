# Defines targets for third-party dependencies, and headroom_strict with the compiler flags of our own code.

find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)

if(NOT HEADROOM_KERNELS_ONLY)
  include(cmake/HeadroomLibTorch.cmake)
endif()

if(HEADROOM_ENGINE_ONLY)
  # A plain GPU machine may have only the headers of spdlog and fmt. They are compiled into our code.
  find_path(SPDLOG_INCLUDE spdlog/spdlog.h REQUIRED)
  # Uses the fmt that is installed next to spdlog, because LibTorch from PyPI contains another version of fmt.
  find_path(FMT_INCLUDE fmt/core.h PATHS ${SPDLOG_INCLUDE} NO_DEFAULT_PATH REQUIRED)
  add_library(headroom_logging INTERFACE)
  target_compile_definitions(headroom_logging INTERFACE SPDLOG_HEADER_ONLY SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
  target_include_directories(headroom_logging SYSTEM INTERFACE ${SPDLOG_INCLUDE} ${FMT_INCLUDE})
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

  add_library(headroom_logging INTERFACE)
  target_link_libraries(headroom_logging INTERFACE fmt::fmt spdlog::spdlog)

  # gemmi reads the structures of molecules, and expat reads XML files: force fields and spreadsheets.
  find_package(EXPAT REQUIRED)
  find_package(Boost REQUIRED COMPONENTS iostreams)  # bzip2 and xz
  pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
  find_path(GEMMI_INCLUDE gemmi/mmread.hpp REQUIRED)
  add_library(headroom_gemmi INTERFACE)
  target_include_directories(headroom_gemmi SYSTEM INTERFACE ${GEMMI_INCLUDE})
  # The gemmi of Debian 12 has only headers. In Debian 13, a part of gemmi is in this library.
  find_library(GEMMI_LIBRARY gemmi_cpp)
  if(GEMMI_LIBRARY)
    target_link_libraries(headroom_gemmi INTERFACE ${GEMMI_LIBRARY})
  endif()
  target_link_libraries(headroom_gemmi INTERFACE ZLIB::ZLIB)

  find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
  add_library(headroom_tomlplusplus INTERFACE)
  target_include_directories(headroom_tomlplusplus SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE})

  # The RDKit package of Debian contains no CMake files.
  find_path(RDKIT_INCLUDE GraphMol/ROMol.h PATH_SUFFIXES rdkit REQUIRED)
  add_library(headroom_rdkit INTERFACE)
  target_include_directories(headroom_rdkit SYSTEM INTERFACE ${RDKIT_INCLUDE})
  foreach(part GraphMol SmilesParse FileParsers Fingerprints Descriptors Depictor ChemTransforms MolStandardize MolDraw2D SubstructMatch DataStructs RDGeneral)
    find_library(RDKIT_${part} RDKit${part} REQUIRED)
    target_link_libraries(headroom_rdkit INTERFACE ${RDKIT_${part}})
  endforeach()
  # The libraries that generate conformers. Only the worker process loads them.
  add_library(headroom_rdkit_embedding INTERFACE)
  target_link_libraries(headroom_rdkit_embedding INTERFACE headroom_rdkit)
  foreach(part DistGeomHelpers ForceFieldHelpers ForceField RDGeometryLib)
    find_library(RDKIT_${part} RDKit${part} REQUIRED)
    target_link_libraries(headroom_rdkit_embedding INTERFACE ${RDKIT_${part}})
  endforeach()
endif()

add_library(headroom_strict INTERFACE)
set(warnings_as_errors)
if(HEADROOM_WARNINGS_AS_ERRORS)
  set(warnings_as_errors -Werror)
endif()
target_compile_options(headroom_strict INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                                 -Woverloaded-virtual ${warnings_as_errors})
# GCC 12 warns about impossible sizes and overlapping copies inside std::string (GCC bug 105651), mostly with
# precompiled headers.
target_compile_options(headroom_strict INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds>)
# With sanitizers, clang does not vectorise loops with `omp simd` and warns about it.
target_compile_options(headroom_strict INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
if(HEADROOM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(HEADROOM_SANITIZE)
  add_compile_options(-fsanitize=${HEADROOM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEADROOM_SANITIZE})
  # Files with -O3 also need this flag, because the pass of GCC 12.2 that it switches off crashes with sanitizers.
  set(headroom_flags_with_o3 $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-cp>)
  # In code with sanitizers, GCC 12 warns that std::regex uses uninitialised memory.
  target_compile_options(headroom_strict INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # ThreadSanitizer of GCC does not support the fences of Boost.Asio and warns about them.
  if(HEADROOM_SANITIZE MATCHES "thread")
    set(headroom_flags_with_asio $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
endif()

add_library(headroom_xxhash INTERFACE)
target_include_directories(headroom_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE})
