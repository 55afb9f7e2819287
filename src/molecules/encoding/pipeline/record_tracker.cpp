#include "molecules/encoding/pipeline/record_tracker.h"

#include <utility>

namespace molgauge::pipeline {
namespace {

/// Maximum number of failed texts whose reasons are stored. If there are more, all stored reasons are
/// dropped. A text with a dropped reason is tried again and fails again.
constexpr std::size_t kReasonsKept = 8192;

}  // namespace

bool RecordTracker::admit(const Hash128& key, const chem::MoleculeRecord& record) {
  const std::lock_guard lock(mutex_);
  const Origin origin{record.row, record.line, record.file};
  if (const auto reason = reasons_.find(key); reason != reasons_.end()) {
    report(origin, record.text, reason->second);
    return false;
  }
  const auto [entry, is_new] = in_work_.try_emplace(key);
  entry->second.push_back(origin);
  return is_new;
}

void RecordTracker::found(const Hash128& key) {
  const std::lock_guard lock(mutex_);
  progress_.skip(finish(key));
}

void RecordTracker::written(std::span<const Hash128> keys) {
  const std::lock_guard lock(mutex_);
  std::size_t records = 0;
  for (const Hash128& key : keys) {
    records += finish(key);
  }
  encoded_ += keys.size();
  progress_.advance(records);
}

void RecordTracker::failed(const Hash128& key, const chem::MoleculeRecord& record,
                           const std::string& reason) {
  const std::lock_guard lock(mutex_);
  const auto entry = in_work_.extract(key);
  for (const Origin& origin : entry.mapped()) {
    report(origin, record.text, reason);
  }
  if (reasons_.size() == kReasonsKept) {
    reasons_.clear();
  }
  reasons_.emplace(key, reason);
}

bool RecordTracker::any_failed() const {
  const std::lock_guard lock(mutex_);
  return !failed_.empty();
}

std::size_t RecordTracker::encoded() const {
  const std::lock_guard lock(mutex_);
  return encoded_;
}

FailureLog RecordTracker::take_failed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failed_, FailureLog());
}

/// Removes a text from the texts that are being encoded. Returns the number of records with this text.
std::size_t RecordTracker::finish(const Hash128& key) { return in_work_.extract(key).mapped().size(); }

void RecordTracker::report(const Origin& origin, const std::string& text, const std::string& reason) {
  failed_.append({origin.row, origin.line, origin.file, text, reason});
  progress_.advance(1);
}

}  // namespace molgauge::pipeline
