# MOLGAUGE_LIBRARY_VERSIONS: the versions of the libraries that this build compiles against, for `molgauge --version --json`.

# molgauge_header_version(RESULT HEADER REGEX): reads a version from the lines of HEADER that match REGEX. Joins their
# numbers with dots.
function(molgauge_header_version result header regex)
  set(version unknown)
  if(EXISTS "${header}")
    file(STRINGS "${header}" lines REGEX "${regex}")
    string(REGEX REPLACE "#[ ]*define[ ]+[A-Z_0-9]+" "" lines "${lines}")
    string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
    list(JOIN numbers "." version)
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

if(MOLGAUGE_ENGINE_ONLY)
  return()
endif()
molgauge_header_version(xxhash ${XXHASH_INCLUDE}/xxhash.h "define XXH_VERSION_(MAJOR|MINOR|RELEASE) ")
molgauge_header_version(gemmi ${GEMMI_INCLUDE}/gemmi/version.hpp "define GEMMI_VERSION ")
file(GLOB toml_header ${TOMLPLUSPLUS_INCLUDE}/toml++/impl/*version.h ${TOMLPLUSPLUS_INCLUDE}/toml++/impl/version.hpp)
molgauge_header_version(tomlplusplus "${toml_header}" "define TOML_LIB_(MAJOR|MINOR|PATCH) ")
# The headers of Debian's RDKit do not contain the version, but the file name of the library does.
get_filename_component(rdkit ${RDKIT_GraphMol} REALPATH)
string(REGEX REPLACE ".*\\.so\\.(1\\.)?" "" rdkit "${rdkit}")
find_path(BOOST_INCLUDE boost/version.hpp REQUIRED)
file(STRINGS ${BOOST_INCLUDE}/boost/version.hpp boost REGEX "define BOOST_LIB_VERSION ")
string(REGEX REPLACE ".*\"([0-9_]+)\".*" "\\1" boost "${boost}")
string(REPLACE "_" "." boost "${boost}")
molgauge_header_version(libtorch ${TORCH_INCLUDE}/torch/csrc/api/include/torch/version.h "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")

set(MOLGAUGE_LIBRARY_VERSIONS)
foreach(pair "boost=${boost}" "cli11=${CLI11_VERSION}" "eigen=${Eigen3_VERSION}" "expat=${EXPAT_VERSION_STRING}"
             "fmt=${fmt_VERSION}" "gemmi=${gemmi}" "hdf5=${HDF5_VERSION}" "libtorch=${libtorch}" "lmdb=${LMDB_VERSION}"
             "nlohmann-json=${nlohmann_json_VERSION}" "openssl=${OPENSSL_VERSION}" "rdkit=${rdkit}"
             "spdlog=${spdlog_VERSION}" "tomlplusplus=${tomlplusplus}" "xxhash=${xxhash}" "zlib=${ZLIB_VERSION_STRING}")
  string(REGEX REPLACE "=.*" "" name "${pair}")
  string(REGEX REPLACE ".*=" "" version "${pair}")
  string(APPEND MOLGAUGE_LIBRARY_VERSIONS "    {\"${name}\", \"${version}\"},\n")
endforeach()
