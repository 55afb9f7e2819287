#include "molecules/encoding/shards/joined_shards.h"

#include <functional>
#include <memory>
#include <queue>
#include <utility>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/text/counted.h"
#include "base/io/bytes/staged_file.h"
#include "base/io/tables/csv_writer.h"
#include "base/io/tensors/npy_header.h"
#include "molecules/encoding/pipeline/feature_file.h"
#include "molecules/encoding/shards/shard_rows.h"

namespace molgauge::pipeline {
namespace {

/// Number of rows between two checks for a request to stop.
constexpr std::size_t kRowsAtOnce = 4096;

void write_rows(const ShardSet& set, const std::filesystem::path& out) {
  const ShardWork& work = set.shards.front().work;
  std::vector<ShardRows> shards;
  for (const ShardManifest& manifest : set.shards) {
    shards.emplace_back(shard_folder(set.folder, manifest.work.shard), manifest);
  }
  io::StagedFile file(out);
  const std::size_t rows = set.rows();
  file.append(io::format_npy_header(rows, work.space.width, work.number_type));
  for (std::size_t row = 0; row < rows; ++row) {
    if (row % kRowsAtOnce == 0) {
      throw_if_cancelled();
    }
    file.append(shards[row % shards.size()].next());
  }
  file.commit();
}

/// Writes the failures of all shards, merged in the order of their rows.
void write_failed(const ShardSet& set, const std::filesystem::path& path) {
  std::vector<ShardFailures> shards;
  std::vector<std::optional<FailedRow>> heads;
  using RowAndShard = std::pair<std::size_t, std::size_t>;
  std::priority_queue<RowAndShard, std::vector<RowAndShard>, std::greater<>> next;
  for (const ShardManifest& manifest : set.shards) {
    shards.emplace_back(shard_folder(set.folder, manifest.work.shard), manifest);
    heads.push_back(shards.back().next());
    if (heads.back()) {
      next.emplace(heads.back()->row, heads.size() - 1);
    }
  }
  io::CsvWriter file(path, {"line", "input", "reason"});
  while (!next.empty()) {
    const std::size_t shard = next.top().second;
    next.pop();
    file.append({heads[shard]->line, heads[shard]->text, heads[shard]->reason});
    heads[shard] = shards[shard].next();
    if (heads[shard]) {
      next.emplace(heads[shard]->row, shard);
    }
  }
  file.finish();
}

}  // namespace

void join_shards(const ShardSet& set, const std::filesystem::path& out) {
  if (out.extension() != ".npy") {
    throw UsageError(out.string() + ": shards are joined to a .npy file. Choose a name ending in .npy");
  }
  require_complete(set);
  if (set.rows() == set.failed()) {
    throw InputError(set.folder.string() + ": not one of " + counted(set.rows(), "record") +
                     " is a valid molecule. The reasons are in the files *.failed.csv of the shards");
  }
  const std::filesystem::path failures = failures_path(out);
  if (set.failed() > 0) {
    write_failed(set, failures);
  }
  write_rows(set, out);
  if (set.failed() == 0) {
    std::error_code failure;
    std::filesystem::remove(failures, failure);
    if (failure) {
      throw system_error(failures.string(), "remove", failure.value());
    }
  }
}

}  // namespace molgauge::pipeline
