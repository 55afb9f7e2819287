#pragma once

#include "headroom/types.h"

namespace headroom {

/// `headroom evaluate`: the run's best model on the test parts of its benchmark, or of another one.
struct EvaluateRequest {
  std::string run;
  std::string data;  ///< another benchmark; empty: the run's own
  std::string store, weights;
  ComputeOptions compute;
};

struct EvaluateReport {
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< fractions
  double id_mean_energy = 0, ood_mean_energy = 0, id_std_energy = 0, ood_std_energy = 0;
  std::size_t id_count = 0, ood_count = 0;
  std::vector<FailedMolecule> failed;
  std::vector<PhaseReport> phases;
};

/// `headroom score`: energies of new molecules; larger means further out of distribution.
struct ScoreRequest {
  std::string run;
  std::string molecules;
  std::string smiles_column = "smiles";
  std::string out;  ///< .csv with columns energy_score (and ood_prediction, ood_probability with a threshold)
  bool has_threshold = false;
  double threshold = 0;
  std::string store, weights;
  bool strict = false;
  ComputeOptions compute;
};

struct ScoredMolecule {
  std::size_t row = 0, line = 0;
  std::string text;
  float energy = 0;  ///< NaN for a failed molecule
};

struct ScoreReport {
  std::vector<ScoredMolecule> molecules;  ///< one per input record, in input order
  std::vector<FailedMolecule> failed;
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
