#include "memgauge/recordings/snapshot_reader.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "memgauge/recordings/device_snapshot.h"
#include "memgauge/recordings/recorded_settings.h"
#include "memgauge/recordings/snapshot_pickle.h"

namespace molgauge::allocator {
namespace {

using Kind = SnapshotValue::Kind;

/// Returns the device on which memory ran out. If this does not determine a single device, returns the device
/// with the most reserved memory. Among devices with equally much, returns the device with the most events.
std::size_t device_of_interest(const std::vector<RecordedDevice>& devices) {
  const auto weight = [](const RecordedDevice& device) {
    return std::tuple(device.out_of_memory > 0, device.peak_reserved_bytes, device.events);
  };
  const auto found = std::max_element(
      devices.begin(), devices.end(),
      [&](const RecordedDevice& left, const RecordedDevice& right) { return weight(left) < weight(right); });
  return found == devices.end() ? 0 : found->device;
}

std::size_t chosen_device(const std::vector<RecordedDevice>& devices, const SnapshotOptions& options,
                          const std::string& name) {
  if (!options.device) {
    return device_of_interest(devices);
  }
  std::vector<std::size_t> known;
  for (const auto& device : devices) {
    if (device.device == *options.device) {
      return device.device;
    }
    known.push_back(device.device);
  }
  throw UsageError(fmt::format("{}: contains no device {}. It has {}", name, *options.device,
                               known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

/// Notes on segments of pinned host memory, which recent versions list next to the segments of devices.
std::vector<std::string> host_notes(const SnapshotTables& tables, SnapshotValue root) {
  const SnapshotValue list = tables.find(root, Word::host_segments);
  if (!list.is(Kind::sequence)) {
    return {};
  }
  std::uint64_t bytes = 0, count = 0;
  for (const auto& item : tables.items(list.index())) {
    if (const SegmentRow* const segment = tables.segment(item)) {
      bytes += segment->total_bytes;
      ++count;
    }
  }
  if (count == 0) {
    return {};
  }
  return {
      fmt::format("{} of pinned host memory with {} are in the file. They are not memory of the GPU and are "
                  "not counted",
                  counted(count, "segment"), format_bytes(bytes))};
}

/// Returns the notes about the range of a trace. Throws UsageError if the range contains no event.
std::vector<std::string> range_notes(const RangedTrace* ranged, bool is_chosen) {
  if (ranged == nullptr) {
    return {};
  }
  const std::uint64_t end = ranged->events() - ranged->after();
  const auto seconds = static_cast<double>(ranged->microseconds()) / 1e6;
  if (is_chosen && ranged->before() == end) {
    throw UsageError(fmt::format("the trace has no event between --from and --to. It has {} in {:.3f} s",
                                 counted(ranged->events(), "event"), seconds));
  }
  return {fmt::format("the file has {} in {:.3f} s. Only the events from number {} to {} are explained",
                      counted(ranged->events(), "event"), seconds, ranged->before(), end)};
}

bool is_snapshot(const SnapshotTables& tables, SnapshotValue root) {
  if (root.is(Kind::sequence)) {
    const auto& items = tables.items(root.index());
    return items.empty() || tables.segment(items.front()) != nullptr;
  }
  return tables.entries(root) != nullptr && tables.find(root, Word::segments).is(Kind::sequence);
}

std::vector<Recording> read(const SnapshotTables& tables, SnapshotValue root, const std::string& name,
                            const SnapshotOptions& options) {
  if (!is_snapshot(tables, root)) {
    throw InputError("a dict with 'segments', or a list of segments, is expected");
  }
  const std::vector<RecordedDevice> devices = devices_of(tables, root);
  if (std::all_of(devices.begin(), devices.end(), [](const RecordedDevice& device) {
        return device.events == 0 && device.peak_reserved_bytes == 0;
      })) {
    return {};
  }
  const std::size_t chosen = chosen_device(devices, options, name);
  const std::string settings = recorded_settings(tables, root);
  std::vector<Recording> recordings;
  recordings.push_back(recording_of(tables, root, chosen, settings));
  for (const auto& device : devices) {
    if (options.all_devices && device.device != chosen) {
      recordings.push_back(recording_of(tables, root, device.device, settings));
    }
  }
  const std::vector<std::string> about_host = host_notes(tables, root);
  for (auto& recording : recordings) {
    recording.source = name;
    recording.format = "PyTorch snapshot";
    recording.devices = devices;
    recording.unknown_words = tables.unknown_words();
    recording.unknown_words.insert(recording.unknown_words.end(), about_host.begin(), about_host.end());
    const auto about_range = range_notes(tables.outside_range(trace_of(tables, root, recording.device)),
                                         recording.device == chosen);
    recording.unknown_words.insert(recording.unknown_words.end(), about_range.begin(), about_range.end());
    if (has_settings_of_xpu(tables, root)) {
      recording.platform = Platform::xpu;
    }
  }
  return recordings;
}

}  // namespace

std::vector<Recording> read_snapshot_devices(io::ByteSource& source, const std::string& name,
                                             const SnapshotOptions& options) {
  SnapshotTables tables(options.limits, options.range);
  SnapshotValue root;
  try {
    root = read_snapshot_pickle(source, tables, options.limits);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
  std::vector<Recording> recordings;
  try {
    recordings = read(tables, root, name, options);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: is not a memory snapshot of PyTorch: {}", name, error.what()));
  }
  if (recordings.empty()) {
    throw InputError(name +
                     ": contains no GPU memory, neither segments nor events. Dump it in the process that "
                     "uses the GPU, after its work has begun");
  }
  return recordings;
}

Recording read_snapshot(io::ByteSource& source, const std::string& name, const SnapshotOptions& options) {
  return std::move(read_snapshot_devices(source, name, options).front());
}

}  // namespace molgauge::allocator
