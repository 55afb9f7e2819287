#include "datasets/ood_benchmark.h"

#include <algorithm>
#include <span>
#include <unordered_set>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "core/error.h"
#include "core/numpy_random.h"
#include "core/python_random.h"

namespace headroom::datasets {
namespace {

using Molecules = std::vector<BenchmarkMolecule>;

struct Halves {
  Molecules first, rest;
};

Halves cut(const Molecules& molecules, std::size_t count) {
  const auto end = molecules.begin() + static_cast<std::ptrdiff_t>(count);
  return {{molecules.begin(), end}, {end, molecules.end()}};
}

/// Validation molecules (first) out of a file's train part, for files without iid_val.
Halves hold_out_validation(Molecules train, std::uint64_t seed) {
  constexpr std::size_t kFewest = 100, kMost = 1000;
  PythonRandom random(seed);
  if (train.size() < kFewest) {
    random.shuffle(train);
    return cut(train, train.size() / 2);
  }
  Halves halves;
  std::vector<bool> held_out(train.size());
  for (const std::size_t position : random.sample(train.size(), std::min(train.size() / 4, kMost))) {
    halves.first.push_back(train[position]);
    held_out[position] = true;
  }
  for (std::size_t position = 0; position < train.size(); ++position) {
    if (!held_out[position]) {
      halves.rest.push_back(train[position]);
    }
  }
  return halves;
}

/// val_ood (first) and train_ood (rest).
Halves share_ood_validation(Molecules ood_val, std::uint64_t data_seed) {
  constexpr std::size_t kMost = 3000;
  PythonRandom(data_seed).shuffle(ood_val);
  return cut(ood_val, std::min(ood_val.size() / 5, kMost));
}

/// One of the six lists on its way to its size.
struct Side {
  const char* name;
  Molecules& molecules;
  std::size_t wanted;
};

void draw(Side& side, std::uint64_t seed, const std::string& file) {
  const std::size_t there = side.molecules.size();
  if (there == 0) {
    throw InputError(
        fmt::format("{}: no molecules for {}; the file needs molecules in train, iid_test, ood_test and at "
                    "least five in ood_val",
                    file, side.name));
  }
  if (there < side.wanted) {
    spdlog::warn("{}: {} has {} molecules, {} were wanted; all are used", file, side.name, there,
                 side.wanted);
  }
  const std::size_t count = side.wanted == 0 ? there : std::min(side.wanted, there);
  Molecules drawn;
  drawn.reserve(count);
  for (const std::size_t position : NumpyRandom(seed).choose(there, count)) {
    drawn.push_back(std::move(side.molecules[position]));
  }
  side.molecules = std::move(drawn);
}

void refuse_overlap(const Side& left, const Side& right, const std::string& file) {
  std::unordered_set<std::string> texts;
  for (const auto& molecule : left.molecules) {
    texts.insert(molecule.smiles);
  }
  for (const auto& molecule : right.molecules) {
    if (texts.contains(molecule.smiles)) {
      throw InputError(
          fmt::format("{}:{}: '{}' stands in {} and in {}; remove it from one of the parts, or make the "
                      "file again with `headroom split`, which puts equal texts into one part",
                      file, molecule.line, molecule.smiles, left.name, right.name));
    }
  }
}

}  // namespace

OodBenchmark select_ood_benchmark(const BenchmarkParts& parts, const OodSelection& selection,
                                  const std::string& file) {
  OodBenchmark benchmark{.train_id = parts.train,
                         .train_ood = {},
                         .val_id = parts.iid_val,
                         .val_ood = {},
                         .test_id = parts.iid_test,
                         .test_ood = parts.ood_test};
  if (benchmark.val_id.empty()) {
    auto halves = hold_out_validation(std::move(benchmark.train_id), selection.held_out_seed);
    benchmark.val_id = std::move(halves.first);
    benchmark.train_id = std::move(halves.rest);
  }
  auto halves = share_ood_validation(parts.ood_val, selection.data_seed);
  benchmark.val_ood = std::move(halves.first);
  benchmark.train_ood = std::move(halves.rest);

  // In the order in which the data seed counts on.
  Side train_id{"train_id", benchmark.train_id, selection.train_size};
  Side train_ood{"train_ood", benchmark.train_ood, selection.train_size};
  Side val_id{"val_id", benchmark.val_id, selection.val_size};
  Side val_ood{"val_ood", benchmark.val_ood, selection.val_size};
  Side test_id{"test_id", benchmark.test_id, selection.test_size};
  Side test_ood{"test_ood", benchmark.test_ood, selection.test_size};
  std::uint64_t seed = selection.data_seed;
  for (Side* side : {&train_id, &train_ood, &val_id, &val_ood, &test_id, &test_ood}) {
    draw(*side, seed++, file);
  }
  for (const auto& [left, right] : std::initializer_list<std::pair<Side*, Side*>>{{&train_id, &val_id},
                                                                                  {&train_id, &test_id},
                                                                                  {&train_id, &train_ood},
                                                                                  {&train_ood, &val_ood},
                                                                                  {&train_ood, &test_ood},
                                                                                  {&val_id, &val_ood},
                                                                                  {&test_id, &test_ood}}) {
    refuse_overlap(*left, *right, file);
  }
  return benchmark;
}

}  // namespace headroom::datasets
