#include "memgauge/explain/rank_comparison.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "base/core/text/bytes.h"
#include "memgauge/explain/difference.h"
#include "memgauge/explain/lifetimes.h"

namespace molgauge::allocator {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDifferences = 5;

bool ran_out(const Recording& recording) {
  return std::any_of(recording.events.begin(), recording.events.end(),
                     [](const MemoryEvent& event) { return event.kind == EventKind::out_of_memory; });
}

/// A recording of a rank, with its peak.
struct Measured {
  const Recording* recording = nullptr;
  std::uint64_t peak = 0;
};

/// The device with the highest peak of each file, in the order of the files.
std::vector<Measured> of_each_file(const std::vector<Recording>& recordings) {
  std::vector<Measured> found;
  for (const auto& recording : recordings) {
    const Measured one{&recording, live_peak(recording, lifetimes_of(recording)).bytes};
    const auto same = std::find_if(found.begin(), found.end(), [&](const Measured& other) {
      return other.recording->source == recording.source;
    });
    if (same == found.end()) {
      found.push_back(one);
    } else if (one.peak > same->peak) {
      *same = one;
    }
  }
  return found;
}

/// The name of the file without its folder.
std::string short_name(const std::string& source) { return source.substr(source.find_last_of('/') + 1); }

std::string text_of(const RankComparison& comparison) {
  std::string text = "\nRanks, with their highest memory in use:\n";
  for (const auto& rank : comparison.ranks) {
    text += fmt::format("  {:>10}  {}{}\n", format_bytes(rank.peak_bytes), short_name(rank.source),
                        rank.ran_out ? ", memory ran out" : "");
  }
  if (comparison.at_peak.empty()) {
    return text + "No line of code holds a different amount of memory in two of the compared ranks.\n";
  }
  text += fmt::format("Largest differences at the peak, {} compared with {}:\n",
                      short_name(comparison.ranks[comparison.most].source),
                      short_name(comparison.ranks[comparison.least].source));
  for (std::size_t i = 0; i < std::min(kMostDifferences, comparison.at_peak.size()); ++i) {
    const auto& growth = comparison.at_peak[i];
    text += fmt::format("  {:>10} instead of {:>10}  {}\n", format_bytes(growth.after_bytes),
                        format_bytes(growth.before_bytes), growth.origin);
  }
  return text;
}

}  // namespace

RankComparison compare_ranks(const std::vector<Recording>& recordings) {
  const auto measured = of_each_file(recordings);
  RankComparison comparison;
  for (const auto& [recording, peak] : measured) {
    const std::uint64_t reserved = recording->recorded_reserve ? recording->recorded_reserve->peak_bytes : 0;
    comparison.ranks.push_back({recording->source, recording->device, peak, reserved, ran_out(*recording)});
  }
  for (std::size_t i = 0; i < measured.size(); ++i) {
    comparison.least = measured[i].peak < measured[comparison.least].peak ? i : comparison.least;
    comparison.most = measured[i].peak > measured[comparison.most].peak ? i : comparison.most;
  }
  // If all peaks are equal, the last rank is compared with the first.
  if (comparison.most == comparison.least && measured.size() > 1) {
    comparison.most = measured.size() - 1;
  }
  if (measured.size() > 1) {
    comparison.at_peak =
        difference_between(*measured[comparison.least].recording, *measured[comparison.most].recording)
            .at_peak;
  }
  comparison.text = text_of(comparison);
  return comparison;
}

void add_ranks(const RankComparison& comparison, MemoryExplanation& explanation) {
  explanation.text += comparison.text;
  Json json = Json::parse(explanation.json);
  Json ranks = Json::array();
  for (const auto& rank : comparison.ranks) {
    ranks.push_back({{"source", rank.source},
                     {"device", rank.device},
                     {"peak_bytes", rank.peak_bytes},
                     {"peak_reserved_bytes", rank.peak_reserved_bytes},
                     {"ran_out", rank.ran_out}});
  }
  Json differences = Json::array();
  for (const auto& growth : comparison.at_peak) {
    differences.push_back({{"origin", growth.origin},
                           {"frames", growth.frames},
                           {"before_bytes", growth.before_bytes},
                           {"after_bytes", growth.after_bytes}});
  }
  json["ranks"] = {{"ranks", std::move(ranks)},
                   {"least", comparison.ranks[comparison.least].source},
                   {"most", comparison.ranks[comparison.most].source},
                   {"at_peak", std::move(differences)}};
  explanation.json = json_text(json);
}

}  // namespace molgauge::allocator
