#pragma once

#include <string>
#include <vector>

#include "base/io/tensors/keyed_rows.h"
#include "workplace.h"

namespace molgauge::test {

/// A graph set that `molgauge pocket build` made from AMBER topologies, and rows of its ligands.
class PocketSet {
 public:
  static constexpr int kComplexes = 10, kModels = 2;
  static constexpr std::int64_t kWidth = 6;

  /// Writes topologies of molecules with five atoms, builds their graphs and draws the rows. Fails the test
  /// if the build ends with an error.
  PocketSet();

  std::string path(const std::string& name) const { return place_.path(name); }
  std::string file(const std::string& name, const std::string& content) const {
    return place_.file(name, content);
  }
  std::string graphs() const { return path("graphs"); }
  std::string ligands() const { return path("ligands.npz"); }
  const io::KeyedRows& rows() const { return rows_; }

  /// Runs `molgauge pocket train` with a small encoder, for two epochs unless `more` sets another number.
  Outcome train(const std::string& run, const std::vector<std::string>& more = {},
                const CommandOptions& options = {}) const;

 private:
  Workplace place_;
  io::KeyedRows rows_;
};

}  // namespace molgauge::test
