#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "molecules/datasets/side.h"
#include "molecules/encoding/session/encoded_parts.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/ood/run/tuned_rows.h"
#include "molgauge/train.h"

namespace molgauge::verbs {

/// The encoding options of a training.
session::EncodingSettings encoding_settings(const TrainRequest& request);

/// Bytes that the frozen layers need, in addition to their weights, to encode these molecules in the smallest
/// batches. No other thread may create tensors at the same time.
std::uint64_t least_bytes_of_frozen(const encoders::Encoder& frozen, const TrainRequest& request,
                                    const session::MoleculeList& molecules);

/// Runs the frozen layers of an encoder on molecules. Each molecule gets an index, with which the trained
/// layers find its output (molecules/encoders/trainable_encoder.h). The object owns the frozen layers.
class FrozenPass {
 public:
  /// `frozen`: the frozen layers. Each row that they return is the index of a molecule. `kept_bytes`: bytes
  /// of outputs that the frozen layers will keep in memory.
  FrozenPass(const TrainRequest& request, std::unique_ptr<encoders::Encoder> frozen,
             runtime::BudgetScope& memory, std::uint64_t kept_bytes);
  ~FrozenPass();

  /// The session for encoding the parts of a benchmark. Each row is the index of a molecule.
  session::EncodingSession& session() { return *session_; }
  /// The indices of molecules that session() has encoded.
  std::vector<std::int64_t> numbers(const session::PartEncoder::Encoded& part) const;
  ood::TuningMolecules numbers(const datasets::BySide<session::PartEncoder::Encoded>& sides) const;
  /// The identity of the encoder and of the molecules for training and validation, for ood::TunedRows.
  std::string identity(const datasets::BySide<session::PartEncoder::Encoded>& sides) const;

 private:
  class Numbers;

  std::string encoder_identity_;
  Numbers* numbers_ = nullptr;  ///< the table of the session
  std::unique_ptr<session::EncodingSession> session_;
};

}  // namespace molgauge::verbs
