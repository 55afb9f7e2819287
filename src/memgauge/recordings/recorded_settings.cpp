#include "memgauge/recordings/recorded_settings.h"

#include <bit>
#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/trace/allocator_settings.h"
#include "base/memory/trace/settings_text.h"

namespace molgauge::allocator {
namespace {

using Kind = SnapshotValue::Kind;
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

}  // namespace

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

bool has_settings_of_xpu(const SnapshotTables& tables, SnapshotValue root) {
  const SnapshotValue entries = entries_of(tables, root);
  return tables.find(entries, Word::accelerator_configuration).is(Kind::text) &&
         !tables.find(entries, Word::allocator_configuration).is(Kind::text) &&
         !tables.find(entries, Word::max_split_size).is(Kind::integer);
}

}  // namespace molgauge::allocator
