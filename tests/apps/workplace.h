#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "support/fixtures.h"

namespace molgauge::test {

/// A temporary folder with its own store, in which `molgauge` runs on real molecules with the ecfp encoder.
/// ecfp needs no weights.
class Workplace {
 public:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string file(const std::string& name, const std::string& content) const;
  /// The first `count` NCI molecules of rdkit-data (Debian) as a .smi file. Without the package, count must
  /// be <= 200.
  std::string nci_molecules(std::size_t count) const;
  /// The molecules of nci_molecules() as a CSV file with the columns smiles and odd. odd is 1 for molecules
  /// with nitrogen.
  std::string nci_table(std::size_t count) const;

  Outcome encode(const std::string& molecules, const std::vector<std::string>& more = {},
                 const CommandOptions& options = {}) const;
  Outcome split(const std::string& molecules, const std::string& out,
                const std::vector<std::string>& more = {}, const CommandOptions& options = {}) const;
  /// Gives every second molecule of a benchmark the class 1, so that baselines have classes to learn.
  void label_alternately(const std::string& benchmark) const;
  Outcome train(const std::string& benchmark, const std::string& run,
                const std::vector<std::string>& more = {}, const CommandOptions& options = {}) const;
  Outcome evaluate(const std::string& run, const std::vector<std::string>& more = {}) const;
  Outcome score(const std::string& run, const std::string& molecules,
                const std::vector<std::string>& more = {}) const;

  /// Uses another store for the following commands.
  void use_store(const std::string& name) { store_ = name; }

 private:
  Outcome call(std::vector<std::string> words, const std::vector<std::string>& more,
               const CommandOptions& options = {}) const;
  TemporaryFolder folder_;
  std::string store_ = "store";
};

}  // namespace molgauge::test
