#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/chem/standardize.h"
#include "molecules/encoding/session/encoder_cache.h"
#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/verbs/score/held_out.h"
#include "molgauge/evaluate.h"

namespace molgauge::verbs {

/// Data of molecules that are scored at the same time.
struct ScoredBlock {
  const ops::Floats& features;                    ///< [n, width]
  std::span<const chem::MoleculeRecord> records;  ///< [n] if reads_records() is true. Empty otherwise
};

/// The result of a run for a block of n molecules.
struct BlockScores {
  std::vector<std::vector<float>> of_seeds;    ///< n scores for each seed. A score that is not finite is
                                               ///< missing
  std::vector<bool> in_training = {};          ///< [n] for a saved domain; else empty
  std::vector<bool> new_scaffold = {};         ///< [n] for a saved domain; else empty
  std::vector<float> range = {};               ///< [n] PropertySurprise::value for a saved domain; else empty
  std::vector<domain::Opinion> opinions = {};  ///< [n] for a saved domain; else empty
  /// [n] for a saved domain: the reason why each molecule has no score, or an empty text if it has a score.
  /// Empty for other runs.
  std::vector<std::string> problems = {};
};

/// A finished run that scores molecules: an energy head, the heads of several seeds, a baseline, or a saved
/// domain.
class RunScorer {
 public:
  virtual ~RunScorer() = default;

  virtual session::EncodingSession& session() = 0;
  virtual std::string score_name() const = 0;
  virtual const HeldOutScores& held_out() const = 0;
  /// Number of rows that are processed together.
  virtual std::size_t batch_size() const = 0;
  /// Returns the memory that is necessary to score this many rows. The arguments are explained at
  /// HeadScorer::need().
  virtual runtime::MemoryRequirement need(std::size_t rows, std::size_t rows_at_once,
                                          std::uint64_t bytes_a_row) const = 0;
  /// Whether scores need the molecules in addition to their features.
  virtual bool reads_records() const { return false; }
  virtual BlockScores score(const ScoredBlock& block) const = 0;
  /// The mode for standardising and checking molecules before they are encoded. If not set, molecules are
  /// encoded as drawn.
  virtual std::optional<chem::Standardization> standardize() const { return std::nullopt; }
};

/// Opens the run with its encoder. Throws InputError if the run is missing or damaged. Throws UsageError if
/// an option has no effect on the run, or if the method is ambiguous. `kept`: as in open_session().
std::unique_ptr<RunScorer> open_run_scorer(const ScoreRequest& request, Device device,
                                           runtime::BudgetScope& memory, session::EncoderCache* kept);

}  // namespace molgauge::verbs
