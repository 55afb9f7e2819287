#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headroom/evaluate.h"
#include "ood/metrics/score_calibration.h"
#include "session/encoding/encoding_session.h"

namespace headroom::session {

/// What a run knows of scores of molecules that it was not trained on.
struct HeldOutScores {
  std::vector<float> id;                        ///< in distribution; empty: not known
  std::optional<ood::PlattScaling> platt;       ///< where there are scores of both sides
  std::vector<std::vector<float>> id_of_seeds;  ///< of a run over several seeds, in the order of its scores
  std::string why_none;                         ///< a sentence without its end, where `id` is empty
};

/// A finished run that scores features: an energy head, the heads of several seeds, or a baseline.
class RunScorer {
 public:
  virtual ~RunScorer() = default;

  virtual EncodingSession& session() = 0;
  virtual std::string score_name() const = 0;
  virtual const HeldOutScores& held_out() const = 0;
  /// Rows that are worked on together.
  virtual std::size_t batch_size() const = 0;
  /// As HeadScorer::need().
  virtual MemoryNeed need(std::size_t rows, std::size_t rows_at_once, std::uint64_t bytes_a_row) const = 0;
  /// Of features [n, width]: n scores for each seed.
  virtual std::vector<std::vector<float>> score(const ops::Floats& features) const = 0;
};

/// Opens the run with the encoder that it was made with. Throws InputError when there is no run or it is
/// damaged, UsageError when an option has no effect on it, or a method is to be named.
std::unique_ptr<RunScorer> open_run_scorer(const ScoreRequest& request, Device device, MemorySession& memory);

}  // namespace headroom::session
