#include "memgauge/recordings/annotations.h"

#include <algorithm>

#include "base/memory/trace/trace_format.h"

namespace molgauge::allocator {
namespace {

using Kind = SnapshotValue::Kind;

bool is_word(SnapshotValue value, Word word) {
  return value.is(Kind::text) && value.bits == static_cast<std::uint64_t>(word);
}

}  // namespace

Annotations::Annotations(const SnapshotTables& tables, SnapshotValue list, std::size_t device)
    : tables_(tables) {
  if (!list.is(Kind::sequence)) {
    return;
  }
  for (const auto& item : tables.items(list.index())) {
    const SnapshotValue on = tables.find(item, Word::device), name = tables.find(item, Word::name),
                        time = tables.find(item, Word::time_us), stage = tables.find(item, Word::stage);
    const bool begins = is_word(stage, Word::stage_start);
    if (name.is(Kind::text) && time.is(Kind::integer) && (begins || is_word(stage, Word::stage_end)) &&
        !(on.is(Kind::integer) && on.bits != device)) {
      marks_.push_back({time.bits, begins, static_cast<std::uint32_t>(name.bits)});
    }
  }
  std::stable_sort(marks_.begin(), marks_.end(),
                   [](const Mark& left, const Mark& right) { return left.time_us < right.time_us; });
}

void Annotations::advance(std::uint64_t time_us, EventLog& log) {
  for (; time_us > 0 && next_ < marks_.size() && marks_[next_].time_us <= time_us; ++next_) {
    apply(marks_[next_], log);
  }
}

void Annotations::apply(const Mark& mark, EventLog& log) {
  if (mark.begins) {
    if (open_.size() < kMaxOpenPhases) {
      open_.push_back(mark.name);
      log.begin_phase(tables_.text_of(mark.name));
    }
    return;
  }
  // A phase with an end but without a beginning began before the recording. Its end is ignored.
  const auto begun = std::find(open_.rbegin(), open_.rend(), mark.name);
  if (begun == open_.rend()) {
    return;
  }
  for (auto left = begun - open_.rbegin(); left >= 0; --left) {
    open_.pop_back();
    log.end_phase();
  }
}

void Annotations::finish(EventLog& log) {
  for (; !open_.empty(); open_.pop_back()) {
    log.end_phase();
  }
}

}  // namespace molgauge::allocator
