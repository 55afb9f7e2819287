#include "molecules/verbs/train/frozen_pass.h"

#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/core/hash.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molecules/encoding/session/encoding_plan.h"
#include "molecules/encoding/session/trained_run.h"

namespace molgauge::verbs {

using datasets::Side;

/// A table that has the index of each molecule instead of a row of features. The key is the key of the
/// SMILES.
class FrozenPass::Numbers final : public pipeline::RowTable {
 public:
  std::vector<bool> find(std::span<const Hash128> keys) override {
    const std::scoped_lock lock(mutex_);
    std::vector<bool> found;
    for (const Hash128& key : keys) {
      found.push_back(rows_.contains(key));
    }
    return found;
  }
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
    const std::scoped_lock lock(mutex_);
    std::vector<bool> found;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = rows_.find(keys[i]);
      found.push_back(row != rows_.end());
      if (row != rows_.end()) {
        rows[i] = row->second;
      }
    }
    return found;
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      rows_[keys[i]] = rows[i];
    }
  }

 private:
  std::mutex mutex_;
  std::map<Hash128, float> rows_;
};

session::EncodingSettings encoding_settings(const TrainRequest& request) {
  return {.encoder = request.encoder,
          .store = request.store,
          .weights = request.weights,
          .features = request.features,
          .strict = request.strict,
          .for_a_head = true,
          .placement = request.placement,
          .compute = request.compute};
}

std::uint64_t least_bytes_of_frozen(const encoders::Encoder& frozen, const TrainRequest& request,
                                    const session::MoleculeList& molecules) {
  const runtime::PlanningScope planning;
  session::EncodingModel model(frozen, session::EncodingModel::Device::cpu);
  return session::EncodingPlanner(model, molecules)
      .smallest_need(session::forced_batch_tokens(request.compute, /*requested=*/0),
                     molecules.records * sizeof(Hash128))
      .host_bytes;
}

FrozenPass::FrozenPass(const TrainRequest& request, std::unique_ptr<encoders::Encoder> frozen,
                       runtime::BudgetScope& memory, std::uint64_t kept_bytes)
    : encoder_identity_(session::encoder_identity(*frozen)) {
  auto numbers = std::make_unique<Numbers>();
  numbers_ = numbers.get();
  session_ = std::make_unique<session::EncodingSession>(encoding_settings(request), memory, std::move(frozen),
                                                        std::move(numbers));
  session_->set_aside(kept_bytes);
}

FrozenPass::~FrozenPass() = default;

std::vector<std::int64_t> FrozenPass::numbers(const session::PartEncoder::Encoded& part) const {
  std::vector<float> rows(part.keys.size());
  numbers_->read(part.keys, rows);
  return {rows.begin(), rows.end()};
}

ood::TuningMolecules FrozenPass::numbers(const datasets::BySide<session::PartEncoder::Encoded>& sides) const {
  return {numbers(sides[Side::train_id]), numbers(sides[Side::train_ood]), numbers(sides[Side::val_id]),
          numbers(sides[Side::val_ood])};
}

std::string FrozenPass::identity(const datasets::BySide<session::PartEncoder::Encoded>& sides) const {
  std::string identity = encoder_identity_;
  for (const Side side : {Side::train_id, Side::train_ood, Side::val_id, Side::val_ood}) {
    identity += ';';
    for (const Hash128& key : sides[side].keys) {
      identity.append(key.begin(), key.end());
    }
  }
  return fmt::format("{:016x}", checksum64(std::as_bytes(std::span(identity))));
}

}  // namespace molgauge::verbs
