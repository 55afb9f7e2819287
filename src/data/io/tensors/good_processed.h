#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::io {

/// The molecules of one of GOOD's processed files; graphs and fingerprints in it are skipped.
struct GoodProcessed {
  std::vector<std::string> smiles;
  std::size_t tasks = 1;
  std::vector<float> labels;              ///< [molecules, tasks], NaN where unknown
  std::vector<std::int64_t> domain_id;    ///< one for each molecule; empty where the file has none
  std::vector<std::int64_t> environment;  ///< "env_id", one for each molecule; empty where the file has none
};

/// Reads a processed file of the GOOD benchmark (Gui et al. 2022),
/// GOODHIV/scaffold/processed/covariate_train.pt say: torch.save of the pair (data, slices) of a PyTorch
/// Geometric data set, whose data have the attributes smiles and y. Read as data
/// (data/io/pickle/pickle_reader.h): nothing in it is executed, and PyTorch Geometric is not needed. Throws
/// InputError naming the file and the attribute that is missing or does not fit.
GoodProcessed read_good_processed(const std::filesystem::path& path);

}  // namespace headroom::io
