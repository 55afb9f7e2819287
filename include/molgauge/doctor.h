#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "molgauge/types.h"

namespace molgauge {

struct TryReport;

/// The result of one check of `molgauge doctor`.
struct Finding {
  enum class State { good, note, missing };
  std::string topic, text;
  std::string advice;  ///< how to fix it; empty if nothing needs a fix
  State state = State::good;
};

/// `molgauge doctor` without --try: checks the installation, the hardware and the weights.
struct DiagnoseRequest {
  using Report = std::vector<Finding>;
};

/// `molgauge doctor --try`: encodes, trains and evaluates with a small set of molecules. It runs three
/// trials: with the usual settings, with half the memory, and with ComputeOptions::conservative.
struct TryRequest {
  using Report = TryReport;

  std::string molecules;  ///< any input of `molgauge encode`. If empty, a built-in list is used
  std::string smiles_column = "smiles";
  std::string encoder;  ///< if empty, minimol is used if its weights are installed, otherwise ecfp
  /// Folders, as in EncodeRequest. The trials do not write to this store, but to a folder next to it.
  std::string store, weights;
  ComputeOptions compute;
};

/// One phase of one trial.
struct TriedPhase {
  std::string trial;  ///< "as usual", "half the memory", "conservative"
  std::string phase;  ///< "encoding", "train", "eval"
  double seconds = 0;
  double molecules_per_second = 0;
  std::uint64_t peak_bytes = 0;     ///< peak of the process on a CPU, of the device on a GPU
  std::uint64_t planned_bytes = 0;  ///< 0 means not planned
  std::uint64_t budget_bytes = 0;
  std::string why_unused;  ///< why the rest of the budget was not used
};

/// The result of one check of the trials.
struct TryCheck {
  std::string name, finding;
  bool passed = false;
};

struct TryReport {
  std::string encoder;
  std::size_t molecules = 0, failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< at most the first 1,000 failed molecules
  std::vector<TriedPhase> phases;
  std::vector<TryCheck> checks;
  std::string json;  ///< the whole report as JSON

  bool passed() const {
    return std::all_of(checks.begin(), checks.end(), [](const TryCheck& check) { return check.passed; });
  }
};

}  // namespace molgauge
