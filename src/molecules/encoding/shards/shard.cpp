#include "molecules/encoding/shards/shard.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::pipeline {
namespace {

/// Parses a number from 1 to kMaxShards. It may consist only of decimal digits.
std::optional<std::size_t> shard_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = failure == std::errc() && end == text.data() + text.size();
  return is_whole && number >= 1 && number <= kMaxShards ? std::optional(number) : std::nullopt;
}

std::optional<Shard> shard_of(std::string_view text, std::string_view between) {
  const std::size_t place = text.find(between);
  if (place == std::string_view::npos) {
    return std::nullopt;
  }
  const auto number = shard_number(text.substr(0, place));
  const auto count = shard_number(text.substr(place + between.size()));
  return number && count && *number <= *count ? std::optional(Shard{*number, *count}) : std::nullopt;
}

constexpr std::string_view kPrefix = "shard-", kBetween = "-of-";

}  // namespace

Shard parse_shard(const std::string& text) {
  const auto shard = shard_of(text, "/");
  if (!shard) {
    throw UsageError(
        fmt::format("--shard {}: is not a shard. Write 3/8 for the third of eight (1/1 to {}/{})", text,
                    kMaxShards, kMaxShards));
  }
  return *shard;
}

std::string to_string(const Shard& shard) { return fmt::format("{}/{}", shard.number, shard.count); }

std::filesystem::path shard_folder(const std::filesystem::path& common, const Shard& shard) {
  return common / fmt::format("{}{:04}{}{:04}", kPrefix, shard.number, kBetween, shard.count);
}

std::optional<Shard> shard_of_folder(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  const auto shard = name.starts_with(kPrefix)
                         ? shard_of(std::string_view(name).substr(kPrefix.size()), kBetween)
                         : std::nullopt;
  // Only the exact form of shard_folder() is accepted, because names with 03 and 0003 are different folders.
  return shard && shard_folder({}, *shard) == name ? shard : std::nullopt;
}

std::optional<chem::MoleculeRecord> ShardRecords::next() {
  while (source_) {
    auto record = source_();
    if (!record) {
      source_ = nullptr;
      break;
    }
    const bool is_ours = rows_read_ % shard_.count + 1 == shard_.number;
    ++rows_read_;
    if (is_ours) {
      return record;
    }
  }
  return std::nullopt;
}

void ShardRecords::skip(std::size_t count) {
  for (std::size_t i = 0; i < count && next(); ++i) {
  }
}

std::vector<chem::MoleculeRecord> ShardRecords::next_part(std::size_t most, std::size_t most_text) {
  std::vector<chem::MoleculeRecord> part;
  std::size_t text = 0;
  while (part.size() < most && (part.empty() || text < most_text)) {
    auto record = next();
    if (!record) {
      break;
    }
    text += record->text.size();
    record->row = part.size();
    part.push_back(std::move(*record));
  }
  return part;
}

}  // namespace molgauge::pipeline
