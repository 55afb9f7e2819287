# Third-party dependencies, as targets; and headroom_strict, the flags of our own code.

find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)

# LibTorch: Debian's (CPU) by default; a newer one, with CUDA, through CMAKE_PREFIX_PATH=<LibTorch>. Read by hand rather
# than through TorchConfig.cmake, which differs between the two in what it demands of the machine.
find_path(TORCH_INCLUDE ATen/ATen.h PATH_SUFFIXES include REQUIRED)
find_library(TORCH_CPU_LIBRARY torch_cpu PATH_SUFFIXES lib REQUIRED)
find_library(C10_LIBRARY c10 PATH_SUFFIXES lib REQUIRED)
get_filename_component(TORCH_LIBRARY_DIR ${TORCH_CPU_LIBRARY} DIRECTORY)
find_library(TORCH_LIBRARY torch HINTS ${TORCH_LIBRARY_DIR} NO_DEFAULT_PATH REQUIRED)
find_library(TORCH_CUDA_LIBRARY torch_cuda HINTS ${TORCH_LIBRARY_DIR} NO_DEFAULT_PATH)
find_library(C10_CUDA_LIBRARY c10_cuda HINTS ${TORCH_LIBRARY_DIR} NO_DEFAULT_PATH)

add_library(headroom_libtorch INTERFACE)
if(NOT TORCH_INCLUDE STREQUAL "/usr/include")
  # Only LibTorch's own headers: beside them PyPI's wheel carries copies of fmt and others that would hide the system's.
  set(torch_own ${CMAKE_BINARY_DIR}/include-roots/libtorch)
  file(MAKE_DIRECTORY ${torch_own})
  foreach(folder ATen c10 caffe2 torch)
    file(CREATE_LINK ${TORCH_INCLUDE}/${folder} ${torch_own}/${folder} SYMBOLIC)
  endforeach()
  set(TORCH_INCLUDE ${torch_own})
endif()
target_include_directories(headroom_libtorch SYSTEM INTERFACE ${TORCH_INCLUDE} ${TORCH_INCLUDE}/torch/csrc/api/include)
target_link_libraries(headroom_libtorch INTERFACE ${TORCH_CPU_LIBRARY} ${C10_LIBRARY})
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # LibTorch 1.13 moves vectors of a type that it defines further down, which clang takes in C++20 only where it knows
  # the type already.
  target_compile_options(headroom_libtorch INTERFACE "SHELL:-include ATen/core/ivalue.h")
endif()
if(TORCH_CUDA_LIBRARY AND C10_CUDA_LIBRARY)
  # CUDA's runtime and its headers: those that PyPI's packages lay beside LibTorch, or a toolkit's.
  file(GLOB nvidia_folders ${TORCH_LIBRARY_DIR}/../../nvidia/*)
  set(cuda_places HINTS ${nvidia_folders} PATHS $ENV{CUDA_HOME} /usr/local/cuda)
  find_path(CUDA_RUNTIME_INCLUDE cuda_runtime_api.h ${cuda_places} PATH_SUFFIXES include)
  find_path(CUDA_COMMON_INCLUDE crt/host_defines.h ${cuda_places} PATH_SUFFIXES include)
  find_library(CUDA_RUNTIME_LIBRARY NAMES libcudart.so.13 libcudart.so.12 cudart ${cuda_places} PATH_SUFFIXES lib lib64)
  foreach(needed CUDA_RUNTIME_INCLUDE CUDA_COMMON_INCLUDE CUDA_RUNTIME_LIBRARY)
    if(NOT ${needed})
      message(FATAL_ERROR "${needed}: not found; pip install nvidia-cuda-crt beside this LibTorch, or set CUDA_HOME")
    endif()
  endforeach()
  target_compile_definitions(headroom_libtorch INTERFACE HEADROOM_WITH_CUDA=1)
  target_include_directories(headroom_libtorch SYSTEM INTERFACE ${CUDA_RUNTIME_INCLUDE} ${CUDA_COMMON_INCLUDE})
  # torch_cuda registers its kernels when it is loaded; nothing of ours names a symbol of it.
  target_link_libraries(headroom_libtorch INTERFACE -Wl,--no-as-needed ${TORCH_CUDA_LIBRARY} -Wl,--as-needed
                                                 ${C10_CUDA_LIBRARY} ${CUDA_RUNTIME_LIBRARY})
  foreach(folder IN LISTS nvidia_folders)
    target_link_options(headroom_libtorch INTERFACE -Wl,-rpath-link,${folder}/lib)
  endforeach()
  message(STATUS "LibTorch with CUDA: ${TORCH_LIBRARY_DIR}")
else()
  message(STATUS "LibTorch (CPU): ${TORCH_LIBRARY_DIR}")
endif()

if(HEADROOM_ENGINE_ONLY)
  # A bare GPU machine has headers at most: spdlog and fmt are compiled into our code.
  find_path(SPDLOG_INCLUDE spdlog/spdlog.h REQUIRED)
  # The fmt that lies beside spdlog: the copy in PyPI's LibTorch is another version.
  find_path(FMT_INCLUDE fmt/core.h PATHS ${SPDLOG_INCLUDE} NO_DEFAULT_PATH REQUIRED)
  add_library(headroom_logging INTERFACE)
  target_compile_definitions(headroom_logging INTERFACE SPDLOG_HEADER_ONLY SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
  target_include_directories(headroom_logging SYSTEM INTERFACE ${SPDLOG_INCLUDE} ${FMT_INCLUDE})
  # For compressed files alone.
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

  find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
  add_library(headroom_tomlplusplus INTERFACE)
  target_include_directories(headroom_tomlplusplus SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE})

  # Debian's RDKit package for C++ carries no CMake files.
  find_path(RDKIT_INCLUDE GraphMol/ROMol.h PATH_SUFFIXES rdkit REQUIRED)
  add_library(headroom_rdkit INTERFACE)
  target_include_directories(headroom_rdkit SYSTEM INTERFACE ${RDKIT_INCLUDE})
  foreach(part GraphMol SmilesParse FileParsers Fingerprints Descriptors Depictor ChemTransforms MolDraw2D SubstructMatch DataStructs RDGeneral)
    find_library(RDKIT_${part} RDKit${part} REQUIRED)
    target_link_libraries(headroom_rdkit INTERFACE ${RDKIT_${part}})
  endforeach()
  # What places atoms in space: of a process of its own, so that no other loads it.
  add_library(headroom_rdkit_embedding INTERFACE)
  target_link_libraries(headroom_rdkit_embedding INTERFACE headroom_rdkit)
  foreach(part DistGeomHelpers ForceFieldHelpers ForceField RDGeometryLib)
    find_library(RDKIT_${part} RDKit${part} REQUIRED)
    target_link_libraries(headroom_rdkit_embedding INTERFACE ${RDKIT_${part}})
  endforeach()
endif()

add_library(headroom_strict INTERFACE)
target_compile_options(headroom_strict INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                                 -Woverloaded-virtual -Werror)
# GCC 12 warns of overlapping copies inside std::string's operator+ (GCC bug 105651).
target_compile_options(headroom_strict INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Sanitizers keep clang from vectorising loops that ask for it.
target_compile_options(headroom_strict INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
if(HEADROOM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(HEADROOM_SANITIZE)
  add_compile_options(-fsanitize=${HEADROOM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEADROOM_SANITIZE})
endif()

add_library(headroom_xxhash INTERFACE)
target_include_directories(headroom_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE})
