#include "molecules/verbs/train/own_molecules.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_lock.h"
#include "base/core/session/log.h"
#include "base/core/text/counted.h"
#include "molecules/datasets/benchmark_selection.h"
#include "molecules/datasets/library_benchmark.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/verbs/train/nci_molecules.h"

namespace molgauge::verbs {
namespace {

constexpr const char* kNci = "nci";

std::vector<chem::MoleculeRecord> read_records(const std::string& path, const std::string& smiles_column,
                                               const std::string& smiles_option) {
  io::MoleculeReaderOptions options;
  options.smiles_column = smiles_column;
  options.smiles_option = smiles_option;
  const auto reader = io::open_molecules(path, options);
  std::vector<chem::MoleculeRecord> records;
  while (auto row = reader->next()) {
    records.push_back(std::move(row->record));
  }
  return records;
}

std::string background_file(const TrainRequest& request) {
  if (request.ood != kNci) {
    return request.ood;
  }
  const std::string file = nci_molecules_file().string();
  if (!std::filesystem::is_regular_file(file)) {
    throw InputError(
        file + ": no such file. --ood nci needs the Debian package rdkit-data (apt-get install rdkit-data)");
  }
  return file;
}

void print_info(const datasets::LibraryBenchmark& made, const TrainRequest& request) {
  log_info("{}: {} in distribution, {} left out", request.benchmark, counted(made.own, "molecule"),
           counted(made.own_repeated, "repetition"));
  log_info(
      "{}: {} as OOD molecules. Left out: {} that {} among the molecules in distribution, {} (Tanimoto {} or "
      "more) of the training and validation parts, {}. Its test part keeps {}",
      request.ood, counted(made.background, "molecule"), made.background_same,
      made.background_same == 1 ? "is" : "are", counted(made.background_near, "near duplicate"),
      request.ood_similarity, counted(made.background_repeated, "repetition"),
      counted(made.background_near_in_test, "near duplicate"));
  if (made.background < made.own) {
    log_warning("{}: has fewer molecules than {}. More OOD molecules give better results", request.ood,
                request.benchmark);
  }
}

datasets::LibraryBenchmarkOptions options_of(const TrainRequest& request) {
  return {.seed = request.data_seed,
          .similarity = request.ood_similarity,
          .threads = request.compute.threads,
          .quiet = request.compute.quiet};
}

datasets::LibraryBenchmark make(const TrainRequest& request, const std::string& background) {
  if (request.benchmark == "-" && request.ood == "-") {
    throw UsageError("--ood -: both inputs cannot be read from standard input. Name a file for one of them");
  }
  return datasets::make_own_benchmark(
      read_records(request.benchmark, request.smiles_column, "--smiles-column"),
      read_records(background, background == request.ood ? request.ood_smiles_column : "smiles",
                   "--ood-smiles-column"),
      options_of(request), request.benchmark, background);
}

}  // namespace

datasets::OodBenchmark draw_own_molecules(const TrainRequest& request) {
  const datasets::LibraryBenchmark made = make(request, background_file(request));
  print_info(made, request);
  datasets::OodBenchmark benchmark;
  const auto sides = datasets::sides_of(benchmark);
  for (std::size_t side = 0; side < sides.size(); ++side) {
    for (const std::string& smiles : made.sides[side]) {
      sides[side].molecules.push_back({.smiles = smiles});
    }
  }
  benchmark.failed = made.failed;
  return benchmark;
}

OwnMolecules prepare_own_molecules(const TrainRequest& request) {
  const std::string background = background_file(request);
  const datasets::LibraryBenchmarkOptions options = options_of(request);
  const datasets::LibraryBenchmark made = make(request, background);
  datasets::refuse_if_strict(request.strict, made.failed);
  print_info(made, request);
  const std::string text = datasets::to_split_cache(made, options, request.benchmark, background);
  const std::filesystem::path file = ood::own_benchmark_file(request.run);
  make_folder(request.run);
  const FolderLock lock(request.run);
  const bool is_there = std::filesystem::exists(file);
  if (is_there && request.resume && read_file(file) != text) {
    throw InputError(file.string() +
                     ": belongs to a training on other molecules or with other options. Name another run "
                     "folder, or start from scratch with --restart");
  }
  if (!is_there || !request.resume) {
    replace_file(file, text);
  }
  return {made.failed, made.background_same + made.background_near};
}

}  // namespace molgauge::verbs
