#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "support/fixtures.h"

namespace headroom::test {

/// A temporary folder with a store of its own, and `headroom` called on real molecules in it, with the ecfp
/// encoder, which needs no weights.
class Workplace {
 public:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string file(const std::string& name, const std::string& content) const;
  /// The first `count` NCI molecules of Debian's rdkit-data as a .smi file; count <= 200 without the package.
  std::string nci_molecules(std::size_t count) const;
  /// These molecules as a CSV file with the columns smiles and odd, which is 1 for molecules with nitrogen.
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

  /// Another store for what follows.
  void use_store(const std::string& name) { store_ = name; }

 private:
  Outcome call(std::vector<std::string> words, const std::vector<std::string>& more,
               const CommandOptions& options = {}) const;
  TemporaryFolder folder_;
  std::string store_ = "store";
};

}  // namespace headroom::test
