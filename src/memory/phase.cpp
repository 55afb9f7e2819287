#include "memory/phase.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace headroom::memory {
namespace {

auto find_report(auto& reports, const std::string& name) {
  return std::find_if(reports.begin(), reports.end(),
                      [&](const PhaseReport& report) { return report.phase == name; });
}

}  // namespace

PhaseRecorder::PhaseRecorder(std::unique_ptr<DeviceProbe> device) : device_(std::move(device)) {}

Phase PhaseRecorder::begin(std::string name) { return Phase(*this, std::move(name)); }

PhaseReport PhaseRecorder::report(const std::string& name) const {
  const auto found = find_report(reports_, name);
  PhaseReport none;
  none.phase = name;
  return found == reports_.end() ? none : *found;
}

/// Hands the peaks since the last reset to every phase that runs.
void PhaseRecorder::raise_peaks() {
  const std::uint64_t host = host_.bytes();
  const std::uint64_t device = device_ ? device_->peak_bytes() : 0;
  for (Phase* phase : open_) {
    auto& figures = phase->figures_;
    figures.peak_host_memory_bytes = std::max(figures.peak_host_memory_bytes, host);
    figures.peak_device_memory_bytes = std::max(figures.peak_device_memory_bytes, device);
  }
}

void PhaseRecorder::close(Phase& phase) {
  assert(!open_.empty() && open_.back() == &phase && "phases end in the reverse order of their beginning");
  raise_peaks();
  open_.pop_back();
  const PhaseReport& figures = phase.figures_;
  const auto found = find_report(reports_, figures.phase);
  if (found == reports_.end()) {
    reports_.push_back(figures);
    return;
  }
  found->seconds += figures.seconds;
  found->peak_host_memory_bytes = std::max(found->peak_host_memory_bytes, figures.peak_host_memory_bytes);
  found->peak_device_memory_bytes =
      std::max(found->peak_device_memory_bytes, figures.peak_device_memory_bytes);
}

Phase::Phase(PhaseRecorder& recorder, std::string name) : recorder_(&recorder) {
  figures_.phase = std::move(name);
  // The reset would lose what the enclosing phases have seen so far.
  if (!recorder.open_.empty()) {
    recorder.raise_peaks();
  }
  recorder.open_.push_back(this);
  recorder.host_.reset();
  if (recorder.device_) {
    recorder.device_->reset_peak();
  }
}

Phase::~Phase() {
  if (recorder_ != nullptr) {
    end();
  }
}

PhaseReport Phase::end() {
  assert(recorder_ != nullptr && "a phase ends once");
  figures_.seconds = watch_.seconds();
  std::exchange(recorder_, nullptr)->close(*this);
  return figures_;
}

}  // namespace headroom::memory
