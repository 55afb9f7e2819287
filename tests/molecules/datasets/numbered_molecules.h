#pragma once

#include <string>
#include <vector>

#include "molecules/datasets/ood_benchmark.h"

namespace molgauge::test {

/// Molecules "<name>0", "<name>1", ... on lines 1, 2, ..., of classes 0, 1, 0, ...
inline std::vector<datasets::BenchmarkMolecule> numbered(const std::string& name, std::size_t count) {
  std::vector<datasets::BenchmarkMolecule> molecules;
  for (std::size_t i = 0; i < count; ++i) {
    molecules.push_back(
        {name + std::to_string(i), static_cast<int>(i % 2), i + 1, static_cast<double>(i % 2)});
  }
  return molecules;
}

/// Treats every text as a molecule.
inline std::string accept_all(const std::string& /*smiles*/) { return ""; }

/// The first texts of a side.
inline std::vector<std::string> first_texts(const std::vector<datasets::BenchmarkMolecule>& molecules,
                                            std::size_t count = 6) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count && i < molecules.size(); ++i) {
    texts.push_back(molecules[i].smiles);
  }
  return texts;
}

}  // namespace molgauge::test
