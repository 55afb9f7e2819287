#include "molecules/encoding/shards/shard_set.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/text/counted.h"
#include "molecules/encoding/shards/shard_part.h"

namespace molgauge::pipeline {
namespace {

/// Returns the manifests of the shards in the folder. The value of a shard is empty if it has no part yet.
std::map<Shard, std::optional<ShardManifest>> manifests_in(const std::filesystem::path& folder) {
  std::map<Shard, std::optional<ShardManifest>> found;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const auto shard = shard_of_folder(entry->path());
    if (!shard || !entry->is_directory()) {
      continue;
    }
    found[*shard] = read_manifest(entry->path());
    if (found[*shard] && found[*shard]->work.shard != *shard) {
      throw InputError(fmt::format("{}: belongs to shard {}. The folder was renamed or copied by hand",
                                   manifest_path(entry->path()).string(),
                                   to_string(found[*shard]->work.shard)));
    }
  }
  if (failure) {
    throw InputError(system_error(folder.string(), "read", failure.value()).what());
  }
  return found;
}

std::string how_to_go_on(const std::filesystem::path& folder, const Shard& shard) {
  return fmt::format("Run molgauge encode with --shard {} --out {} and the other options of this set",
                     to_string(shard), folder.string());
}

/// The problems that prevent joining and that are known without reading the parts.
std::vector<std::string> gaps(const ShardSet& set) {
  std::vector<std::string> findings;
  for (const Shard& shard : set.missing) {
    findings.push_back(
        fmt::format("shard {} is missing. {}", to_string(shard), how_to_go_on(set.folder, shard)));
  }
  for (const Shard& shard : set.without_manifest) {
    findings.push_back(
        fmt::format("shard {} has no part yet. {}", to_string(shard), how_to_go_on(set.folder, shard)));
  }
  for (const ShardManifest& manifest : set.shards) {
    if (!manifest.is_complete) {
      const Shard& shard = manifest.work.shard;
      findings.push_back(fmt::format("shard {} is not finished ({} so far). {}", to_string(shard),
                                     counted(manifest.parts.size(), "part"),
                                     how_to_go_on(set.folder, shard)));
    }
  }
  if (findings.empty()) {
    for (const ShardManifest& manifest : set.shards) {
      if (manifest.rows() != manifest.work.shard.share_of(set.rows())) {
        findings.push_back(fmt::format("shard {} has {}, not its share of the {} of all shards. {}",
                                       to_string(manifest.work.shard), counted(manifest.rows(), "row"),
                                       set.rows(), "Remove its folder and encode it again"));
      }
    }
  }
  return findings;
}

}  // namespace

std::size_t ShardSet::rows() const {
  return std::accumulate(
      shards.begin(), shards.end(), std::size_t{0},
      [](std::size_t sum, const ShardManifest& manifest) { return sum + manifest.rows(); });
}

std::size_t ShardSet::failed() const {
  return std::accumulate(
      shards.begin(), shards.end(), std::size_t{0},
      [](std::size_t sum, const ShardManifest& manifest) { return sum + manifest.failed(); });
}

ShardSet find_shards(const std::filesystem::path& folder) {
  const auto found = manifests_in(folder);
  if (found.empty()) {
    throw InputError(folder.string() +
                     ": contains no shards. Create them with molgauge encode MOLECULES --shard 1/8 --out " +
                     folder.string());
  }
  ShardSet set{.folder = folder, .shards = {}, .without_manifest = {}, .missing = {}};
  const std::size_t count = found.begin()->first.count;
  for (const auto& [shard, manifest] : found) {
    if (shard.count != count) {
      throw InputError(
          fmt::format("{}: contains shards of {} and of {}. Move one of the sets to another folder",
                      folder.string(), count, shard.count));
    }
    if (!manifest) {
      set.without_manifest.push_back(shard);
      continue;
    }
    if (!set.shards.empty()) {
      const std::string difference = set.shards.front().work.difference(manifest->work);
      if (!difference.empty()) {
        throw InputError(fmt::format("{}: shards {} and {} do not belong together: {}", folder.string(),
                                     to_string(set.shards.front().work.shard), to_string(shard), difference));
      }
    }
    set.shards.push_back(*manifest);
  }
  for (Shard shard{1, count}; shard.number <= count; ++shard.number) {
    if (!found.contains(shard)) {
      set.missing.push_back(shard);
    }
  }
  return set;
}

std::vector<std::string> verify_shards(const ShardSet& set) {
  std::vector<std::string> findings = gaps(set);
  for (const ShardManifest& manifest : set.shards) {
    const Shard& shard = manifest.work.shard;
    const std::filesystem::path folder = shard_folder(set.folder, shard);
    for (std::size_t part = 0; part < manifest.parts.size(); ++part) {
      throw_if_cancelled();
      const std::string problem = problem_of(folder, part, manifest.parts[part]);
      if (!problem.empty()) {
        findings.push_back(
            fmt::format("{}. {}, which creates this part again", problem, how_to_go_on(set.folder, shard)));
      }
    }
  }
  return findings;
}

void require_complete(const ShardSet& set) {
  const std::vector<std::string> findings = gaps(set);
  if (!findings.empty()) {
    throw InputError(
        fmt::format("{}: cannot be joined yet: {}{}", set.folder.string(), findings.front(),
                    findings.size() > 1 ? fmt::format(" (and {} more)", findings.size() - 1) : ""));
  }
}

}  // namespace molgauge::pipeline
