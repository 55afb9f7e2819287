#include "base/memory/measure/phase.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace molgauge::memory {
namespace {

auto find_report(auto& reports, const std::string& name) {
  return std::find_if(reports.begin(), reports.end(),
                      [&](const PhaseReport& report) { return report.phase == name; });
}

void raise(std::uint64_t& highest, std::uint64_t bytes) { highest = std::max(highest, bytes); }

void add(const PhaseReport& figures, PhaseReport& sum) {
  sum.seconds += figures.seconds;
  sum.refused_tensors += figures.refused_tensors;
  sum.device_retries += figures.device_retries;
  sum.device_refusals += figures.device_refusals;
  raise(sum.peak_host_memory_bytes, figures.peak_host_memory_bytes);
  raise(sum.peak_tensor_memory_bytes, figures.peak_tensor_memory_bytes);
  raise(sum.peak_device_memory_bytes, figures.peak_device_memory_bytes);
  raise(sum.peak_device_reserved_bytes, figures.peak_device_reserved_bytes);
  raise(sum.peak_device_active_bytes, figures.peak_device_active_bytes);
  raise(sum.planned_memory_bytes, figures.planned_memory_bytes);
  sum.device_free_bytes = figures.device_free_bytes;
}

}  // namespace

PhaseRecorder::PhaseRecorder(std::unique_ptr<DeviceProbe> device, AllocationMeter* tensors)
    : device_(std::move(device)), tensors_(tensors) {}

Phase PhaseRecorder::begin(std::string name) { return Phase(*this, std::move(name), Measured::everything); }

Phase PhaseRecorder::begin_step(std::string_view name) {
  std::string path = current();
  path += path.empty() ? "" : " / ";
  return Phase(*this, path.append(name), Measured::all_but_host);
}

PhaseReport PhaseRecorder::report(const std::string& name) const {
  const auto found = find_report(reports_, name);
  PhaseReport none;
  none.phase = name;
  return found == reports_.end() ? none : *found;
}

std::string PhaseRecorder::current() const { return open_.empty() ? "" : open_.back()->figures_.phase; }

/// Raises the peaks of all open phases to the peaks since the last reset.
void PhaseRecorder::raise_peaks(Measured measured) {
  const std::uint64_t host = measured == Measured::everything ? host_.bytes() : 0;
  const std::uint64_t tensors = tensors_ != nullptr ? tensors_->peak_bytes() : 0;
  const DeviceMemory device = device_ ? device_->read() : DeviceMemory();
  for (Phase* phase : open_) {
    auto& figures = phase->figures_;
    if (phase->measured_ == Measured::everything) {
      raise(figures.peak_host_memory_bytes, host);
    }
    raise(figures.peak_tensor_memory_bytes, tensors);
    raise(figures.peak_device_memory_bytes, device.peak_allocated);
    raise(figures.peak_device_reserved_bytes, device.peak_reserved);
    raise(figures.peak_device_active_bytes, device.peak_active);
  }
}

void PhaseRecorder::reset_peaks(Measured measured) {
  if (measured == Measured::everything) {
    host_.reset();
  }
  if (tensors_ != nullptr) {
    tensors_->reset_peak();
  }
  if (device_) {
    device_->reset_peak();
  }
}

PhaseRecorder::Counts PhaseRecorder::counts() {
  const DeviceMemory device = device_ ? device_->read() : DeviceMemory();
  return {tensors_ != nullptr ? tensors_->refusals() : 0, device.retries, device.refusals};
}

void PhaseRecorder::open(Phase& phase) {
  // The peaks of the enclosing phases are saved first, because the reset would lose them.
  if (!open_.empty()) {
    raise_peaks(phase.measured_);
  }
  open_.push_back(&phase);
  reset_peaks(phase.measured_);
  phase.at_begin_ = counts();
}

void PhaseRecorder::close(Phase& phase) {
  assert(!open_.empty() && open_.back() == &phase && "phases end in the reverse order of their beginning");
  raise_peaks(phase.measured_);
  open_.pop_back();
  const Counts now = counts();
  PhaseReport& figures = phase.figures_;
  if (device_) {
    // All open phases now have these peaks. The probe is reset, so that later readers do not see the peaks of
    // a finished phase.
    device_->reset_peak();
    if (phase.measured_ == Measured::everything) {
      figures.device_free_bytes = device_->space().free;
    }
  }
  figures.refused_tensors = now.refused_tensors - phase.at_begin_.refused_tensors;
  figures.device_retries = now.device_retries - phase.at_begin_.device_retries;
  figures.device_refusals = now.device_refusals - phase.at_begin_.device_refusals;
  const auto found = find_report(reports_, figures.phase);
  if (found == reports_.end()) {
    reports_.push_back(figures);
  } else {
    add(figures, *found);
  }
}

Phase::Phase(PhaseRecorder& recorder, std::string name, PhaseRecorder::Measured measured)
    : recorder_(&recorder), measured_(measured) {
  if (recorder.observer_ != nullptr) {
    // The observer already knows the enclosing phases, so it gets only the last part of the name.
    const std::size_t enclosing = name.rfind(" / ");
    recorder.observer_->began(enclosing == std::string::npos ? std::string_view(name)
                                                             : std::string_view(name).substr(enclosing + 3));
  }
  figures_.phase = std::move(name);
  recorder.open(*this);
}

Phase::~Phase() {
  if (recorder_ != nullptr) {
    end();
  }
}

PhaseReport Phase::end() {
  assert(recorder_ != nullptr && "a phase ends once");
  figures_.seconds = watch_.seconds();
  PhaseRecorder& recorder = *std::exchange(recorder_, nullptr);
  recorder.close(*this);
  if (recorder.observer_ != nullptr) {
    recorder.observer_->ended();
  }
  return figures_;
}

std::unique_ptr<Phase> begin_step(PhaseRecorder* recorder, std::string_view name) {
  // NOLINTNEXTLINE(modernize-make-unique): a phase cannot be moved
  return recorder == nullptr ? nullptr : std::unique_ptr<Phase>(new Phase(recorder->begin_step(name)));
}

PhaseMark::PhaseMark(const PhaseRecorder* recorder, std::string_view name)
    : observer_(recorder == nullptr ? nullptr : recorder->observer_) {
  if (observer_ != nullptr) {
    observer_->began(name);
  }
}

PhaseMark::~PhaseMark() {
  if (observer_ != nullptr) {
    observer_->ended();
  }
}

}  // namespace molgauge::memory
