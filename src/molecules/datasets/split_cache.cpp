#include "molecules/datasets/split_cache.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_reader.h"
#include "base/io/bytes/byte_source.h"
#include "base/io/bytes/line_counting_iterator.h"
#include "base/io/bytes/line_reader.h"

namespace molgauge::datasets {
namespace {

using nlohmann::json;

/// Python writes times as floats of seconds. A copy may keep fewer digits.
constexpr double kSameTime = 1e-3;

/// Parses JSON, and records the line of every text that is three levels deep. These are the texts of the
/// lists.
class LinesOfTexts {
 public:
  explicit LinesOfTexts(const std::string& text) : text_(text) {}

  json parse(const std::string& path) {
    constexpr int kDepthOfTexts = 3;
    const auto note = [this](int depth, json::parse_event_t event, json& parsed) {
      if (event == json::parse_event_t::key && depth == kDepthOfTexts - 1) {
        key_ = parsed.get<std::string>();
      } else if (event == json::parse_event_t::value && depth == kDepthOfTexts) {
        lines_[key_].push_back(line_);
      }
      return true;
    };
    try {
      require_shallow_json(text_);
      return json::parse(io::LineCountingIterator(text_.data(), &line_),
                         io::LineCountingIterator(text_.data() + text_.size(), &line_), note);
    } catch (const json::exception& failure) {
      throw InputError(fmt::format("{}:{}: {}", path, line_, json_problem(failure)));
    }
  }

  /// The line of text `index` of a list. If the list occurs twice or at another place in the file, returns 0.
  std::size_t line(const std::string& list, std::size_t index) const {
    const auto found = lines_.find(list);
    return found == lines_.end() || index >= found->second.size() ? 0 : found->second[index];
  }

 private:
  const std::string& text_;
  std::size_t line_ = 1;
  std::string key_;
  std::map<std::string, std::vector<std::size_t>> lines_;
};

std::vector<BenchmarkMolecule> read_list(const json& splits, const std::string& name,
                                         const LinesOfTexts& lines, const std::string& path) {
  const auto list = splits.find(name);
  if (list == splits.end() || !list->is_array() || list->empty()) {
    throw InputError(path + ": splits." + name +
                     " is missing or empty. Leave the cache out to draw the molecules again");
  }
  std::vector<BenchmarkMolecule> molecules;
  for (const json& item : *list) {
    const std::size_t line = lines.line(name, molecules.size());
    if (!item.is_string()) {
      throw InputError(
          fmt::format("{}:{}: splits.{}[{}] is not a SMILES text", path, line, name, molecules.size()));
    }
    molecules.push_back(
        {.smiles = std::string(io::trimmed(item.get_ref<const std::string&>())), .label = 0, .line = line});
  }
  return molecules;
}

/// Returns the time in seconds since 1970, like getmtime of Python, or NaN if there is no such file.
double modification_time(const std::string& path) {
  std::error_code failure;
  const auto time = std::filesystem::last_write_time(path, failure);
  if (failure) {
    return std::nan("");
  }
  const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

std::vector<std::string> mismatches(const json& metadata, const SplitCacheUse& use) {
  std::vector<std::string> found;
  if (!metadata.is_object()) {
    return {"it does not describe itself (\"metadata\" is missing)"};
  }
  const auto seed = metadata.find("data_seed");
  if (seed == metadata.end() || *seed != use.data_seed) {
    found.push_back(fmt::format("it was drawn with data seed {}, not {}",
                                seed == metadata.end() ? "unknown" : seed->dump(), use.data_seed));
  }
  const auto subset = metadata.find("drugood_subset");
  const std::string stem = std::filesystem::path(use.benchmark_file).stem().string();
  if (subset != metadata.end() && subset->is_string() && *subset != stem) {
    found.push_back(fmt::format("it was drawn from {}, not from {}", subset->get<std::string>(), stem));
  }
  const auto time = metadata.find("data_file_mtime");
  if (time != metadata.end() && time->is_number() &&
      !(std::abs(time->get<double>() - modification_time(use.benchmark_file)) < kSameTime)) {
    found.emplace_back("it was drawn from a file with another modification time");
  }
  return found;
}

}  // namespace

SplitCache read_split_cache(const std::string& path, const SplitCacheUse& use) {
  const std::string text = io::read_all(path);
  LinesOfTexts lines(text);
  const json content = lines.parse(path);
  if (!content.is_object() || !content.contains("splits") || !content["splits"].is_object()) {
    throw InputError(path + ": is not a split cache: an object with \"splits\" is expected" +
                     (content.is_object() && content.contains("labels")
                          ? ". This is a label cache, which is not needed: labels come from the benchmark"
                          : ""));
  }
  SplitCache cache;
  for (const OodSide& side : sides_of(cache.benchmark)) {
    side.molecules = read_list(content["splits"], side.name(), lines, path);
  }
  cache.mismatches = mismatches(content.value("metadata", json()), use);
  return cache;
}

}  // namespace molgauge::datasets
