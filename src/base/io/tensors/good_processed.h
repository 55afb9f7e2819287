#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace molgauge::io {

/// The molecules of one of GOOD's processed files. Graphs and fingerprints are skipped.
struct GoodProcessed {
  std::vector<std::string> smiles;
  std::size_t tasks = 1;
  std::vector<float> labels;              ///< [molecules, tasks], NaN if unknown
  std::vector<std::int64_t> domain_id;    ///< domain of each molecule; empty if the file has none
  std::vector<std::int64_t> environment;  ///< "env_id", one for each molecule; empty if the file has none
};

/// Reads a processed file of the GOOD benchmark (Gui et al. 2022), for example
/// GOODHIV/scaffold/processed/covariate_train.pt. Such a file contains the pair (data, slices) of a PyTorch
/// Geometric data set with the attributes smiles and y, written by torch.save. Nothing in the file is
/// executed (base/io/pickle/pickle_reader.h), and PyTorch Geometric is not needed. Throws InputError with the
/// file and the attribute that is missing or invalid.
GoodProcessed read_good_processed(const std::filesystem::path& path);

}  // namespace molgauge::io
