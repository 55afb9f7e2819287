#include "datasets/leakage.h"

#include <functional>

#include <fmt/format.h>

#include "core/error.h"

namespace headroom::datasets {
namespace {

using KeyOf = std::function<const std::string*(const BenchmarkMolecule&)>;  ///< null: not compared

std::string place(const std::string& file, std::size_t line) {
  return line == 0 ? file : fmt::format("{}:{}", file, line);
}

std::string describe(const OodSide& left, const BenchmarkMolecule& here, const OodSide& right,
                     const BenchmarkMolecule& there, const std::string& file) {
  const std::string other_line = here.line == 0 ? "" : fmt::format(" (line {})", here.line);
  if (here.smiles == there.smiles) {
    return fmt::format("{}: '{}' stands in {} and in {}{}", place(file, there.line), there.smiles, left.name,
                       right.name, other_line);
  }
  return fmt::format("{}: '{}' in {} is '{}' of {}{} in another spelling", place(file, there.line),
                     there.smiles, right.name, here.smiles, left.name, other_line);
}

/// Appends a line for each of the first few molecules that both sides have; returns how many there are.
std::size_t find_shared(const OodSide& left, const OodSide& right, const KeyOf& key_of,
                        const std::string& file, std::string& lines) {
  constexpr std::size_t kShown = 5;
  std::unordered_map<std::string, const BenchmarkMolecule*> seen;
  for (const auto& molecule : left.molecules) {
    if (const std::string* key = key_of(molecule)) {
      seen.emplace(*key, &molecule);
    }
  }
  std::size_t shared = 0;
  for (const auto& molecule : right.molecules) {
    const std::string* key = key_of(molecule);
    const auto found = key == nullptr ? seen.end() : seen.find(*key);
    if (found != seen.end() && ++shared <= kShown) {
      lines += "\n  " + describe(left, *found->second, right, molecule, file);
    }
  }
  if (shared > kShown) {
    lines += fmt::format("\n  ... {} molecules of {} stand in {} in all", shared, left.name, right.name);
  }
  return shared;
}

void refuse_shared(OodBenchmark& benchmark, const KeyOf& key_of, const std::string& file) {
  const auto sides = sides_of(benchmark);
  const auto& [train_id, train_ood, val_id, val_ood, test_id, test_ood] = sides;
  std::size_t shared = 0;
  std::string lines;
  for (const auto& [left, right] :
       std::initializer_list<std::pair<const OodSide&, const OodSide&>>{{train_id, val_id},
                                                                        {train_id, test_id},
                                                                        {train_ood, val_ood},
                                                                        {train_ood, test_ood},
                                                                        {train_id, train_ood},
                                                                        {val_id, val_ood},
                                                                        {test_id, test_ood}}) {
    shared += find_shared(left, right, key_of, file, lines);
  }
  if (shared > 0) {
    throw InputError(
        fmt::format("{}: leakage between parts that must not share a molecule:{}\nremove such molecules from "
                    "one of the parts, or make the file again with `headroom split`, which puts all "
                    "spellings of a molecule into one part",
                    file, lines));
  }
}

}  // namespace

void refuse_shared_texts(OodBenchmark& benchmark, const std::string& file) {
  refuse_shared(
      benchmark, [](const BenchmarkMolecule& molecule) { return &molecule.smiles; }, file);
}

void refuse_shared_molecules(OodBenchmark& benchmark,
                             const std::unordered_map<std::string, std::string>& canonical_of_text,
                             const std::string& file) {
  refuse_shared(
      benchmark,
      [&](const BenchmarkMolecule& molecule) {
        const auto found = canonical_of_text.find(molecule.smiles);
        return found == canonical_of_text.end() ? nullptr : &found->second;
      },
      file);
}

}  // namespace headroom::datasets
