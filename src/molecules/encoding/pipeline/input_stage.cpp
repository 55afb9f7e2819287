#include "molecules/encoding/pipeline/input_stage.h"

#include <algorithm>

#include "base/core/error.h"
#include "base/core/files/input_descriptor.h"
#include "base/core/session/cancellation.h"

namespace molgauge::pipeline {
namespace {

/// Maximum number of records that are looked up in one transaction, and maximum bytes of their texts.
constexpr std::size_t kLookUpTogether = 256, kTextTogether = std::size_t{1} << 20;
/// Number of molecules in a chunk. It is small enough for several threads to share a window, and large enough
/// to make the cost of the queue irrelevant.
constexpr std::size_t kChunkMolecules = 16;

}  // namespace

InputStage::InputStage(const MoleculeSource& source, const encoders::Encoder& encoder, RowTable& table,
                       const PipelineOptions& options, RecordTracker& tracker, StageTimes& times,
                       memory::Recovery& recovery, WorkQueue& work)
    : source_(source),
      encoder_(encoder),
      table_(table),
      options_(options),
      tracker_(tracker),
      times_(times),
      recovery_(recovery),
      work_(work),
      window_(std::make_unique<Window>()),
      cutter_(options.batch_tokens) {}

void InputStage::run() {
  const EndsWaiting ends_waiting(work_.abandoned());
  std::vector<PendingMolecule> group;
  std::size_t text_bytes = 0;
  if (options_.keep_keys) {
    keys_.reserve(options_.total);
  }
  while (auto record = next_record()) {
    const Hash128 key = key_of(*record);
    ++records_;
    if (options_.keep_keys) {
      keys_.push_back(key);
    }
    if (tracker_.admit(key, *record)) {
      text_bytes += record->text.size();
      group.push_back({key, std::move(*record), nullptr});
    }
    if (group.size() == kLookUpTogether || text_bytes >= kTextTogether) {
      look_up(group);
      text_bytes = 0;
    }
  }
  if (work_.is_abandoned()) {
    return;
  }
  // In strict mode, the last group is processed even if a record has already failed. A record of this group
  // may come before the failed record and may also fail, and the run must report the first failure.
  look_up(group);
  hand_over(std::move(window_));
  work_.close();
}

std::optional<chem::MoleculeRecord> InputStage::next_record() {
  if (cancellation_requested() || work_.is_abandoned() || (options_.strict && tracker_.any_failed())) {
    return std::nullopt;
  }
  const StageTimes::Busy busy(times_, Stage::read);
  try {
    return source_();
  } catch (const Interrupted&) {
    return std::nullopt;  // records that were read before the interruption are still encoded
  }
}

void InputStage::look_up(std::vector<PendingMolecule>& group) {
  std::vector<Hash128> keys;
  keys.reserve(group.size());
  for (const PendingMolecule& molecule : group) {
    keys.push_back(molecule.key);
  }
  std::vector<bool> stored;
  {
    // Rows are looked up after the tracker has admitted the keys. A row that was written in the meantime is
    // therefore found.
    const StageTimes::Busy busy(times_, Stage::look_up);
    recovery_.retry_until_fits("looking up rows in the store", [&] { stored = table_.find(keys); });
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (stored[i]) {
      tracker_.found(keys[i]);
    } else {
      put_into_window(std::move(group[i]));
    }
  }
  group.clear();
}

void InputStage::put_into_window(PendingMolecule molecule) {
  const std::size_t tokens = encoder_.estimate(estimate_size(molecule.record)).tokens;
  const std::size_t text_bytes = molecule.record.text.size();
  if (cutter_.is_window_of_its_own(tokens)) {
    auto own = std::make_unique<Window>();
    own->molecules.push_back(std::move(molecule));
    hand_over(std::move(own));
    return;
  }
  window_->molecules.push_back(std::move(molecule));
  if (cutter_.fills(tokens, text_bytes)) {
    hand_over(std::exchange(window_, std::make_unique<Window>()));
  }
}

void InputStage::hand_over(std::unique_ptr<Window> window) {
  const std::shared_ptr<Window> shared = std::move(window);
  const std::size_t count = shared->molecules.size();
  shared->chunks_left = (count + kChunkMolecules - 1) / kChunkMolecules;
  for (std::size_t begin = 0; begin < count; begin += kChunkMolecules) {
    if (!work_.push({shared, begin, std::min(begin + kChunkMolecules, count)})) {
      return;  // the run is abandoned and ends
    }
  }
}

}  // namespace molgauge::pipeline
