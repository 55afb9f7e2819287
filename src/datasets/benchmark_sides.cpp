#include "datasets/benchmark_sides.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

#include "core/python_random.h"
#include "datasets/split_parts.h"

namespace headroom::datasets {
namespace {

using Molecules = std::vector<BenchmarkMolecule>;

Molecules slice(const Molecules& molecules, std::size_t begin, std::size_t end) {
  return {molecules.begin() + static_cast<std::ptrdiff_t>(begin),
          molecules.begin() + static_cast<std::ptrdiff_t>(end)};
}

Molecules at_positions(const Molecules& molecules, const std::vector<std::size_t>& positions) {
  Molecules result;
  result.reserve(positions.size());
  for (const std::size_t position : positions) {
    result.push_back(molecules[position]);
  }
  return result;
}

/// Python's `if len(molecules) > most: molecules = random.sample(molecules, most)`; 0: no limit.
void cut(Molecules& molecules, std::size_t most, PythonRandom& random) {
  if (most > 0 && molecules.size() > most) {
    molecules = at_positions(molecules, random.sample(molecules.size(), most));
  }
}

/// Takes the molecules at `positions` out of `molecules`.
Molecules take(Molecules& molecules, const std::vector<std::size_t>& positions) {
  Molecules taken = at_positions(molecules, positions);
  const std::unordered_set<std::size_t> gone(positions.begin(), positions.end());
  Molecules rest;
  for (std::size_t position = 0; position < molecules.size(); ++position) {
    if (!gone.contains(position)) {
      rest.push_back(std::move(molecules[position]));
    }
  }
  molecules = std::move(rest);
  return taken;
}

/// Takes the first half of the shuffled molecules.
Molecules take_half(Molecules& molecules, PythonRandom& random) {
  random.shuffle(molecules);
  const std::size_t half = molecules.size() / 2;
  Molecules first = slice(molecules, 0, half);
  molecules = slice(molecules, half, molecules.size());
  return first;
}

Molecules take_validation_as_drugood(Molecules& train, PythonRandom& random) {
  constexpr std::size_t kFewest = 100, kMost = 1000;
  if (train.size() < kFewest) {
    return take_half(train, random);
  }
  Molecules val = at_positions(train, random.sample(train.size(), std::min(train.size() / 4, kMost)));
  std::unordered_set<std::string> texts;
  for (const auto& molecule : val) {
    texts.insert(molecule.smiles);
  }
  std::erase_if(train, [&](const BenchmarkMolecule& molecule) { return texts.contains(molecule.smiles); });
  return val;
}

void leave_out_refused(Molecules& molecules, const MoleculeCheck& check, const std::string& file,
                       std::vector<FailedMolecule>& failed) {
  std::size_t row = 0;
  std::erase_if(molecules, [&](const BenchmarkMolecule& molecule) {
    const std::size_t this_row = row++;
    if (resembles_smiles(molecule.smiles)) {
      return false;
    }
    const std::string reason = check(molecule.smiles);
    if (!reason.empty()) {
      failed.push_back({this_row, molecule.line, file, molecule.smiles, reason});
    }
    return !reason.empty();
  });
}

constexpr std::uint64_t kGoodSeed = 42;

void hold_out_as_good(BenchmarkParts& parts) {
  constexpr std::size_t kFewToValidate = 100, kMostToValidate = 1000;
  constexpr std::size_t kFewToTest = 200, kMostToTest = 500;
  PythonRandom random(kGoodSeed);
  parts.iid_val = parts.train.size() > kFewToValidate
                      ? take(parts.train, random.sample(parts.train.size(),
                                                        std::min(parts.train.size() / 4, kMostToValidate)))
                      : take_half(parts.train, random);
  if (parts.train.size() > kFewToTest) {
    const std::size_t count = std::min(parts.train.size() / 10, kMostToTest);
    parts.iid_test = take(parts.train, PythonRandom(kGoodSeed + 2).sample(parts.train.size(), count));
  } else {
    const std::size_t half = parts.iid_val.size() / 2;
    parts.iid_test = slice(parts.iid_val, 0, half);
    parts.iid_val = slice(parts.iid_val, half, parts.iid_val.size());
  }
}

void share_ood_as_good(BenchmarkParts& parts, OodBenchmark& benchmark) {
  PythonRandom random(kGoodSeed);
  if (!parts.ood_val.empty()) {
    random.shuffle(parts.ood_val);
    const std::size_t train = portion(0.7, parts.ood_val.size());
    benchmark.train_ood = slice(parts.ood_val, 0, train);
    benchmark.val_ood = slice(parts.ood_val, train, parts.ood_val.size());
    benchmark.test_ood = std::move(parts.ood_test);
    return;
  }
  random.shuffle(parts.ood_test);
  const std::size_t count = parts.ood_test.size();
  benchmark.train_ood = slice(parts.ood_test, 0, count / 3);
  benchmark.val_ood = slice(parts.ood_test, count / 3, count * 2 / 3);
  benchmark.test_ood = slice(parts.ood_test, count * 2 / 3, count);
}

}  // namespace

OodBenchmark drugood_sides(BenchmarkParts parts, const OodSelection& selection, const std::string& file,
                           const MoleculeCheck& check) {
  PythonRandom random(selection.held_out_seed);
  for (Molecules* part : {&parts.train, &parts.ood_val, &parts.iid_test, &parts.ood_test, &parts.iid_val}) {
    cut(*part, selection.debug_size, random);
  }
  if (parts.iid_val.empty()) {
    parts.iid_val = take_validation_as_drugood(parts.train, random);
  }
  OodBenchmark benchmark;
  for (Molecules* part : {&parts.train, &parts.iid_val, &parts.ood_val}) {
    leave_out_refused(*part, check, file, benchmark.failed);
  }
  for (Molecules* part : {&parts.iid_test, &parts.ood_test}) {
    leave_out_refused(*part, check, file, benchmark.failed_test);
  }
  constexpr std::size_t kMostOodVal = 3000;
  PythonRandom(selection.data_seed).shuffle(parts.ood_val);
  const std::size_t val = std::min(parts.ood_val.size() / 5, kMostOodVal);
  benchmark.val_ood = slice(parts.ood_val, 0, val);
  benchmark.train_ood = slice(parts.ood_val, val, parts.ood_val.size());
  benchmark.train_id = std::move(parts.train);
  benchmark.val_id = std::move(parts.iid_val);
  benchmark.test_id = std::move(parts.iid_test);
  benchmark.test_ood = std::move(parts.ood_test);
  return benchmark;
}

OodBenchmark good_sides(BenchmarkParts parts, const OodSelection& selection) {
  if (parts.iid_val.empty() && parts.iid_test.empty()) {
    hold_out_as_good(parts);
  }
  OodBenchmark benchmark;
  share_ood_as_good(parts, benchmark);
  benchmark.train_id = std::move(parts.train);
  benchmark.val_id = std::move(parts.iid_val);
  benchmark.test_id = std::move(parts.iid_test);
  PythonRandom random(kGoodSeed);
  for (Molecules* side : {&benchmark.train_id, &benchmark.train_ood, &benchmark.val_ood, &benchmark.test_ood,
                          &benchmark.val_id, &benchmark.test_id}) {
    cut(*side, selection.debug_size, random);
  }
  return benchmark;
}

bool resembles_smiles(const std::string& text) {
  constexpr std::string_view kUsual =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789()[]{}=#@+-.\\/|";
  std::set<std::string> unusual;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;  // of the UTF-8 sequence that begins here
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
      ++end;
    }
    if (end - begin > 1 || kUsual.find(text[begin]) == std::string_view::npos) {
      unusual.insert(text.substr(begin, end - begin));
    }
    begin = end;
  }
  if (!unusual.empty()) {
    return unusual.size() <= 2;
  }
  const auto count = [&](char character) { return std::count(text.begin(), text.end(), character); };
  return !text.empty() && count('(') == count(')') && count('[') == count(']');
}

}  // namespace headroom::datasets
