#include "molecules/datasets/leakage.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"

namespace molgauge::datasets {
namespace {

/// The pairs that the Python project compares.
constexpr std::array<std::pair<Side, Side>, 7> kComparedByPython = {{{Side::train_id, Side::val_id},
                                                                     {Side::train_id, Side::test_id},
                                                                     {Side::train_id, Side::train_ood},
                                                                     {Side::train_ood, Side::val_ood},
                                                                     {Side::train_ood, Side::test_ood},
                                                                     {Side::val_id, Side::val_ood},
                                                                     {Side::test_id, Side::test_ood}}};

std::string describe(const OodSide& left, const BenchmarkMolecule& here, const OodSide& right,
                     const BenchmarkMolecule& there, const std::string& file) {
  const std::string other_line = here.line == 0 ? "" : fmt::format(" (line {})", here.line);
  if (here.smiles == there.smiles) {
    return fmt::format("{}: '{}' is in {} and in {}{}", place_of(there, file), there.smiles, left.name(),
                       right.name(), other_line);
  }
  return fmt::format("{}: '{}' in {} is the same molecule as '{}' in {}{}", place_of(there, file),
                     there.smiles, right.name(), here.smiles, left.name(), other_line);
}

class Comparison {
 public:
  explicit Comparison(const std::string& file) : file_(file) {}

  void compare(const OodSide& left, const OodSide& right) {
    constexpr std::size_t kShown = 5;
    std::map<Hash128, const BenchmarkMolecule*> seen;
    for (const auto& molecule : left.molecules) {
      if (molecule.identity != kNoIdentity) {
        seen.emplace(molecule.identity, &molecule);
      }
    }
    std::size_t shared = 0;
    for (const auto& molecule : right.molecules) {
      const auto found = seen.find(molecule.identity);
      if (found == seen.end()) {
        continue;
      }
      distinct_.insert(molecule.identity);
      if (++shared <= kShown) {
        examples_ += "\n  " + describe(left, *found->second, right, molecule, file_);
        if (!is_compared_by_python_project(left.side, right.side)) {
          examples_ += " (the Python project accepts this pair)";
        }
      }
    }
    if (shared > kShown) {
      examples_ +=
          fmt::format("\n  ... {} in {} and in {} in all", molecules_are(shared), left.name(), right.name());
    }
  }

  SharedMolecules result() const { return {distinct_.size(), examples_}; }

 private:
  const std::string& file_;
  std::set<Hash128> distinct_;
  std::string examples_;
};

}  // namespace

bool is_compared_by_python_project(Side one, Side other) {
  return std::any_of(kComparedByPython.begin(), kComparedByPython.end(), [&](const auto& pair) {
    return pair == std::pair(one, other) || pair == std::pair(other, one);
  });
}

SharedMolecules find_shared_molecules(OodBenchmark& benchmark, const std::string& file) {
  Comparison comparison(file);
  const std::vector<OodSide> sides = sides_of(benchmark);
  for (auto left = sides.begin(); left != sides.end(); ++left) {
    for (auto right = std::next(left); right != sides.end(); ++right) {
      comparison.compare(*left, *right);
    }
  }
  return comparison.result();
}

void require_accepted(const SharedMolecules& shared, bool accepted, const std::string& found,
                      const std::string& ways_out) {
  if (shared.count == 0) {
    return;
  }
  if (accepted) {
    log_warning("{}. This was accepted. The results report it", found);
    return;
  }
  throw InputError(
      fmt::format("{}:{}\n{}, or accept them with --allow-overlap (in a specification: allow-overlap = "
                  "true). The results then report them",
                  found, shared.examples, ways_out));
}

std::string molecules_are(std::size_t count) {
  return count == 1 ? "1 molecule is" : fmt::format("{} molecules are", count);
}

std::string place_of(const BenchmarkMolecule& molecule, const std::string& file) {
  return molecule.line == 0 ? file : fmt::format("{}:{}", file, molecule.line);
}

}  // namespace molgauge::datasets
