#include "molecules/ood/run/seeds.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "molecules/ood/run/validation_scores.h"

namespace molgauge::ood {
namespace {

using nlohmann::json;

constexpr const char* kSeedsFile = "seeds.json";
constexpr const char* kSeedsRemedy = "Remove it and run the same 'molgauge train' again, which writes it";

}  // namespace

std::filesystem::path seed_folder(const std::filesystem::path& run, std::uint64_t seed) {
  return run / fmt::format("seed_{}", seed);
}

void write_seeds(const std::filesystem::path& run, const std::vector<std::uint64_t>& seeds) {
  replace_file(run / kSeedsFile, json_text(json{{"seeds", seeds}}));
}

void remove_seeds(const std::filesystem::path& run) { std::filesystem::remove(run / kSeedsFile); }

std::vector<std::uint64_t> find_seeds(const std::filesystem::path& run) {
  const std::filesystem::path path = run / kSeedsFile;
  if (!std::filesystem::is_regular_file(path)) {
    return {};
  }
  require_intact(path, kSeedsRemedy);
  std::vector<std::uint64_t> seeds;
  try {
    const json content = parse_json(read_file(path));
    for (const json& seed : content.at("seeds")) {
      seeds.push_back(checked<std::uint64_t>(seed));
    }
  } catch (const json::exception& problem) {
    throw InputError(fmt::format("{}: not a file of 'molgauge train --seeds' ({}). {}", path.string(),
                                 json_problem(problem), kSeedsRemedy));
  }
  if (seeds.empty() ||
      std::adjacent_find(seeds.begin(), seeds.end(), std::greater_equal<>()) != seeds.end()) {
    throw InputError(fmt::format("{}: its seeds are not an ascending list. {}", path.string(), kSeedsRemedy));
  }
  return seeds;
}

std::string identity_of_seeds(const std::filesystem::path& run, const std::vector<std::uint64_t>& seeds) {
  std::string identity;
  for (const std::uint64_t seed : seeds) {
    identity += (identity.empty() ? "" : " ") + identity_of_best_model(seed_folder(run, seed));
  }
  return identity;
}

}  // namespace molgauge::ood
