#include "molecules/datasets/trained_molecules.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/chem/identity.h"

namespace molgauge::datasets {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "trained_molecules.safetensors";
constexpr const char* kFormat = "molgauge trained molecules 1";
constexpr const char* kTrainedMoleculesRemedy =
    "Train again into another folder, or remove the file to skip the check";

using Hashes = std::vector<Hash128>;

/// Calls a function with the name and the hashes of each side, in the order in which the sides are searched.
template <typename Trained>
auto sides_of_trained(Trained& trained) {
  return std::array{std::pair{"train_id", &trained.train_id}, std::pair{"train_ood", &trained.train_ood},
                    std::pair{"val_id", &trained.val_id}, std::pair{"val_ood", &trained.val_ood}};
}

Hashes hashes_of(const std::vector<BenchmarkMolecule>& molecules) {
  std::set<Hash128> distinct;
  for (const auto& molecule : molecules) {
    if (molecule.identity != kNoIdentity) {
      distinct.insert(molecule.identity);
    }
  }
  return {distinct.begin(), distinct.end()};
}

io::TensorData to_tensor(const Hashes& hashes) {
  constexpr std::size_t kBytes = sizeof(Hash128);
  io::TensorData tensor{io::DataType::uint8,
                        {static_cast<std::int64_t>(hashes.size()), static_cast<std::int64_t>(kBytes)},
                        std::vector<std::byte>(hashes.size() * kBytes)};
  if (!hashes.empty()) {
    std::memcpy(tensor.bytes.data(), hashes.data(), tensor.bytes.size());
  }
  return tensor;
}

Hashes from_tensor(const io::TensorData& tensor) {
  constexpr std::size_t kBytes = sizeof(Hash128);
  if (tensor.type != io::DataType::uint8 || tensor.shape.size() != 2 || tensor.shape[1] != kBytes) {
    throw InputError("a side is not [molecules, 16] bytes");
  }
  Hashes hashes(tensor.bytes.size() / kBytes);
  if (!hashes.empty()) {
    std::memcpy(hashes.data(), tensor.bytes.data(), tensor.bytes.size());
  }
  if (!std::is_sorted(hashes.begin(), hashes.end())) {
    throw InputError("the molecules of a side are not in order");
  }
  return hashes;
}

io::SafetensorsFile read_whole(const fs::path& path) {
  require_intact(path, kTrainedMoleculesRemedy);
  try {
    return io::read_safetensors(path);
  } catch (const InputError& problem) {
    throw InputError(fmt::format("{}. {}", problem.what(), kTrainedMoleculesRemedy));
  }
}

/// The side that contains the molecule, or null if none does.
const char* seen_in(const TrainedMolecules& trained, const BenchmarkMolecule& molecule) {
  for (const auto& [name, hashes] : sides_of_trained(trained)) {
    if (std::binary_search(hashes->begin(), hashes->end(), molecule.identity)) {
      return name;
    }
  }
  return nullptr;
}

}  // namespace

TrainedMolecules trained_molecules(const OodBenchmark& benchmark) {
  return {hashes_of(benchmark.train_id), hashes_of(benchmark.train_ood), hashes_of(benchmark.val_id),
          hashes_of(benchmark.val_ood)};
}

void write_trained_molecules(const fs::path& run, const TrainedMolecules& molecules) {
  io::TensorMap tensors;
  for (const auto& [name, hashes] : sides_of_trained(molecules)) {
    tensors[name] = to_tensor(*hashes);
  }
  io::write_safetensors(run / kFile, tensors, {{"format", kFormat}, {"identity", chem::identity_scheme()}});
}

void remove_trained_molecules(const fs::path& run) { fs::remove(run / kFile); }

std::optional<TrainedMolecules> read_trained_molecules(const fs::path& run) {
  const fs::path path = run / kFile;
  if (!fs::is_regular_file(path)) {
    return std::nullopt;
  }
  const auto refuse = [&](const std::string& reason) -> InputError {
    return InputError(fmt::format("{}: {}. {}", path.string(), reason, kTrainedMoleculesRemedy));
  };
  const io::SafetensorsFile file = read_whole(path);
  const auto format = file.metadata.find("format"), scheme = file.metadata.find("identity");
  if (format == file.metadata.end() || format->second != kFormat || scheme == file.metadata.end()) {
    throw refuse("not a file of training molecules");
  }
  if (scheme->second != chem::identity_scheme()) {
    return std::nullopt;
  }
  TrainedMolecules trained;
  for (const auto& [name, hashes] : sides_of_trained(trained)) {
    const auto tensor = file.tensors.find(name);
    if (tensor == file.tensors.end()) {
      throw refuse(fmt::format("{} is missing", name));
    }
    try {
      *hashes = from_tensor(tensor->second);
    } catch (const InputError& problem) {
      throw refuse(problem.what());
    }
  }
  return trained;
}

SharedMolecules find_trained_molecules(const OodTest& test, const TrainedMolecules& trained,
                                       const std::string& file) {
  constexpr std::size_t kShown = 5;
  std::set<Hash128> distinct;
  SharedMolecules shared;
  for (const auto& [name, molecules] :
       {std::pair{"test_id", &test.test_id}, std::pair{"test_ood", &test.test_ood}}) {
    std::size_t shown = 0;
    for (const auto& molecule : *molecules) {
      const char* const side = seen_in(trained, molecule);
      if (side == nullptr) {
        continue;
      }
      distinct.insert(molecule.identity);
      if (++shown <= kShown) {
        shared.examples += fmt::format("\n  {}: '{}' in {} was in {}", place_of(molecule, file),
                                       molecule.smiles, name, side);
      }
    }
    if (shown > kShown) {
      shared.examples += fmt::format("\n  ... {} in {} in all", shown, name);
    }
  }
  shared.count = distinct.size();
  return shared;
}

void take_out_trained(OodTest& test, const TrainedMolecules& trained) {
  const auto seen = [&](const BenchmarkMolecule& molecule) { return seen_in(trained, molecule) != nullptr; };
  std::erase_if(test.test_id, seen);
  std::erase_if(test.test_ood, seen);
}

}  // namespace molgauge::datasets
