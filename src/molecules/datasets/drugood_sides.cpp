#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

#include "base/core/random/python_random.h"
#include "molecules/datasets/benchmark_sides.h"
#include "molecules/datasets/molecule_lists.h"

namespace molgauge::datasets {
namespace {

Molecules take_validation_as_drugood(Molecules& train, PythonRandom& random) {
  constexpr std::size_t kMin = 100, kMax = 1000;
  if (train.size() < kMin) {
    return take_half(train, random);
  }
  Molecules val = at_positions(train, random.sample(train.size(), std::min(train.size() / 4, kMax)));
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
  constexpr std::size_t kMaxOodVal = 3000;
  PythonRandom(selection.data_seed).shuffle(parts.ood_val);
  const std::size_t val = std::min(parts.ood_val.size() / 5, kMaxOodVal);
  benchmark.val_ood = slice(parts.ood_val, 0, val);
  benchmark.train_ood = slice(parts.ood_val, val, parts.ood_val.size());
  benchmark.train_id = std::move(parts.train);
  benchmark.val_id = std::move(parts.iid_val);
  benchmark.test_id = std::move(parts.iid_test);
  benchmark.test_ood = std::move(parts.ood_test);
  return benchmark;
}

bool resembles_smiles(const std::string& text) {
  constexpr std::string_view kUsual =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789()[]{}=#@+-.\\/|";
  std::set<std::string> unusual;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;  // end of the UTF-8 sequence that begins here
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

}  // namespace molgauge::datasets
