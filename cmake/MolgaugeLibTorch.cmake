# Finds LibTorch. The default is the Debian package, which supports only CPUs. CMAKE_PREFIX_PATH=<LibTorch> selects a
# newer version with CUDA. This file does not use TorchConfig.cmake, because its requirements differ between the
# versions.
find_path(TORCH_INCLUDE ATen/ATen.h PATH_SUFFIXES include REQUIRED)
find_library(TORCH_CPU_LIBRARY torch_cpu PATH_SUFFIXES lib REQUIRED)
find_library(C10_LIBRARY c10 PATH_SUFFIXES lib REQUIRED)
get_filename_component(TORCH_LIBRARY_DIR ${TORCH_CPU_LIBRARY} DIRECTORY)
find_library(TORCH_LIBRARY torch HINTS ${TORCH_LIBRARY_DIR} NO_DEFAULT_PATH REQUIRED)
find_library(TORCH_CUDA_LIBRARY torch_cuda HINTS ${TORCH_LIBRARY_DIR} NO_DEFAULT_PATH)
find_library(C10_CUDA_LIBRARY c10_cuda HINTS ${TORCH_LIBRARY_DIR} NO_DEFAULT_PATH)

# Gloo connects processes that train together on CPUs. Debian's headers of Gloo match only LibTorch from Debian.
set(MOLGAUGE_GLOO OFF)
if(TORCH_INCLUDE STREQUAL "${CMAKE_SYSROOT}/usr/include")
  find_path(GLOO_INCLUDE gloo/rendezvous/store.h PATHS ${TORCH_INCLUDE} NO_DEFAULT_PATH)
  if(GLOO_INCLUDE)
    set(MOLGAUGE_GLOO ON)
  else()
    message(STATUS "no headers of Gloo (Debian: libgloo-dev): training in one process alone")
  endif()
endif()

add_library(molgauge_libtorch INTERFACE)
if(NOT TORCH_INCLUDE STREQUAL "${CMAKE_SYSROOT}/usr/include")
  # Uses only the headers of LibTorch itself. The wheel from PyPI also contains copies of fmt and other libraries,
  # which would hide the headers of the system.
  set(torch_own ${CMAKE_BINARY_DIR}/include-roots/libtorch)
  file(MAKE_DIRECTORY ${torch_own})
  foreach(folder ATen c10 caffe2 torch)
    file(CREATE_LINK ${TORCH_INCLUDE}/${folder} ${torch_own}/${folder} SYMBOLIC)
  endforeach()
  set(TORCH_INCLUDE ${torch_own})
endif()
target_include_directories(molgauge_libtorch SYSTEM INTERFACE ${TORCH_INCLUDE} ${TORCH_INCLUDE}/torch/csrc/api/include)
target_link_libraries(molgauge_libtorch INTERFACE ${TORCH_CPU_LIBRARY} ${C10_LIBRARY})
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # The headers of LibTorch 1.13 contain code that moves a std::vector of a type before the type is defined.
  # In C++20, clang accepts this only after the definition of the type, so the header with the definition
  # comes first.
  target_compile_options(molgauge_libtorch INTERFACE "SHELL:-include ATen/core/ivalue.h")
endif()
if(TORCH_CUDA_LIBRARY AND C10_CUDA_LIBRARY)
  # Finds the CUDA runtime and its headers in PyPI packages next to LibTorch, or in a CUDA toolkit.
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
  find_path(MOLGAUGE_NCCL_INCLUDE nccl.h ${cuda_places} PATH_SUFFIXES include)
  target_compile_definitions(molgauge_libtorch INTERFACE MOLGAUGE_WITH_CUDA=1)
  target_include_directories(molgauge_libtorch SYSTEM INTERFACE ${CUDA_RUNTIME_INCLUDE} ${CUDA_COMMON_INCLUDE})
  # torch_cuda registers its kernels when it is loaded. Without --no-as-needed, the linker would drop it, because we
  # do not use its symbols.
  target_link_libraries(molgauge_libtorch INTERFACE -Wl,--no-as-needed ${TORCH_CUDA_LIBRARY} -Wl,--as-needed
                                                 ${C10_CUDA_LIBRARY} ${CUDA_RUNTIME_LIBRARY})
  foreach(folder IN LISTS nvidia_folders)
    target_link_options(molgauge_libtorch INTERFACE -Wl,-rpath-link,${folder}/lib)
  endforeach()
  # Our own kernels need nvcc. Without nvcc, operators that have such kernels throw an error on a GPU.
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    # TORCH_CUDA_ARCH_LIST has the format of PyTorch builds: "8.0;9.0+PTX".
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
    if(DEFINED ENV{TORCH_CUDA_ARCH_LIST})
      string(REGEX REPLACE "[.]|[+]PTX" "" CMAKE_CUDA_ARCHITECTURES "$ENV{TORCH_CUDA_ARCH_LIST}")
      string(REGEX REPLACE "[ ,]+" ";" CMAKE_CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
    endif()
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(MOLGAUGE_NVCC nvcc ${cuda_places} PATH_SUFFIXES bin)
    if(MOLGAUGE_NVCC)
      set(CMAKE_CUDA_COMPILER ${MOLGAUGE_NVCC})
    endif()
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_RUNTIME_LIBRARY None)  # the CUDA runtime of LibTorch is linked instead
    enable_language(CUDA)
    set(MOLGAUGE_CUDA_KERNELS ON)
  endif()
  message(STATUS "LibTorch with CUDA: ${TORCH_LIBRARY_DIR}; kernels of our own: ${CMAKE_CUDA_COMPILER}")
else()
  message(STATUS "LibTorch (CPU): ${TORCH_LIBRARY_DIR}")
endif()
