#include "memgauge/recordings/snapshot_reader.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/memory/trace/allocator_settings.h"
#include "base/memory/trace/settings_text.h"
#include "memgauge/recordings/device_snapshot.h"
#include "memgauge/recordings/snapshot_pickle.h"
#include "memgauge/recordings/snapshot_tables.h"

namespace molgauge::allocator {
namespace {

using Settings = std::vector<SettingText>;

SettingText setting(std::string key, std::string value) {
  return {std::move(key), std::move(value), {}, false};
}

std::string text_of(const SnapshotTables& tables, SnapshotValue value) {
  return value.is(Kind::text) ? std::string(tables.text_of(static_cast<std::uint32_t>(value.bits))) : "";
}

/// The effective values in a snapshot, which may differ from the text of the settings.
class EffectiveSettings {
 public:
  EffectiveSettings(const SnapshotTables& tables, SnapshotValue entries)
      : tables_(tables), entries_(entries) {}

  void correct(const AllocatorSettings& of_text, Settings& settings) const {
    correct_expandable(of_text, settings);
    correct_max_split(of_text, settings);
    correct_threshold(of_text, settings);
    correct_roundup(of_text, settings);
  }

 private:
  void correct_expandable(const AllocatorSettings& of_text, Settings& settings) const {
    const SnapshotValue value = tables_.find(entries_, Word::expandable_segments);
    if (value.is(Kind::boolean) && (value.bits != 0) != of_text.expandable_segments) {
      replace_setting(settings, setting("expandable_segments", value.bits != 0 ? "True" : "False"));
    }
  }

  /// Without a limit, PyTorch stores the largest number, which reads as -1 in two's complement.
  void correct_max_split(const AllocatorSettings& of_text, Settings& settings) const {
    const SnapshotValue value = tables_.find(entries_, Word::max_split_size);
    if (!value.is(Kind::integer) || value.bits == of_text.max_split_bytes || value.bits == 0) {
      return;
    }
    remove_setting(settings, "max_split_size_mb");
    if (value.bits < std::uint64_t{1} << 62U) {
      replace_setting(settings, setting("max_split_size_mb", std::to_string(value.bits / kMebibyte)));
    }
  }

  void correct_threshold(const AllocatorSettings& of_text, Settings& settings) const {
    const SnapshotValue value = tables_.find(entries_, Word::garbage_collection_threshold);
    if (!value.is(Kind::real)) {
      return;
    }
    const auto threshold = std::bit_cast<double>(value.bits);
    if (threshold == of_text.garbage_collection_threshold) {
      return;
    }
    remove_setting(settings, "garbage_collection_threshold");
    if (threshold > 0 && threshold <= 1) {
      replace_setting(settings, setting("garbage_collection_threshold", fmt::format("{}", threshold)));
    }
  }

  void correct_roundup(const AllocatorSettings& of_text, Settings& settings) const {
    const SnapshotValue value = tables_.find(entries_, Word::roundup_power2_divisions);
    const auto* const divisions = tables_.entries(value);
    if (divisions == nullptr || divisions->size() != AllocatorSettings::kRoundupIntervals) {
      return;
    }
    SettingText list{"roundup_power2_divisions", "", {}, true};
    bool differs = false;
    for (std::size_t i = 0; i < divisions->size(); ++i) {
      const auto& [key, count] = (*divisions)[i];
      if (!key.is(Kind::text) || !count.is(Kind::integer)) {
        return;
      }
      list.list.emplace_back(text_of(tables_, key), std::to_string(count.bits));
      differs = differs || count.bits != of_text.roundup_divisions.at(i);
    }
    if (differs) {
      replace_setting(settings, std::move(list));
    }
  }

  const SnapshotTables& tables_;
  SnapshotValue entries_;
};

SnapshotValue entries_of(const SnapshotTables& tables, SnapshotValue root) {
  return tables.find(root, Word::allocator_settings);
}

/// The settings of the recorded allocator in the form of PYTORCH_CUDA_ALLOC_CONF. A snapshot has the text of
/// the variable and the effective values of some settings. If the two differ, the effective value is used,
/// because a platform may ignore a setting, and versions of PyTorch parse lists differently.
std::string recorded_settings(const SnapshotTables& tables, SnapshotValue root) {
  const SnapshotValue entries = entries_of(tables, root);
  std::string text = text_of(tables, tables.find(entries, Word::allocator_configuration));
  if (text.empty()) {
    text = text_of(tables, tables.find(entries, Word::accelerator_configuration));
  }
  try {
    const AllocatorSettings of_text = parse_allocator_settings(text);
    Settings settings = split_settings(text);
    EffectiveSettings(tables, entries).correct(of_text, settings);
    const std::string corrected = joined_settings(settings);
    return parse_allocator_settings(corrected) == of_text ? text : corrected;
  } catch (const UsageError&) {
    return text;  // the explanation says that these settings are not simulated
  }
}

/// Whether the settings come from PyTorch for Intel GPUs, which has a separate variable.
bool has_settings_of_xpu(const SnapshotTables& tables, SnapshotValue root) {
  const SnapshotValue entries = entries_of(tables, root);
  return tables.find(entries, Word::accelerator_configuration).is(Kind::text) &&
         !tables.find(entries, Word::allocator_configuration).is(Kind::text) &&
         !tables.find(entries, Word::max_split_size).is(Kind::integer);
}

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

}  // namespace molgauge::allocator
