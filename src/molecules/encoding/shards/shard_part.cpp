#include "molecules/encoding/shards/shard_part.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/checksum_list.h"
#include "base/core/text/counted.h"
#include "base/io/bytes/little_endian.h"
#include "base/io/bytes/staged_file.h"
#include "base/io/tables/csv_writer.h"
#include "base/io/tensors/half_float.h"
#include "base/io/tensors/npy_header.h"
#include "molecules/encoding/pipeline/feature_file.h"
#include "molecules/encoding/pipeline/feature_rows.h"

namespace molgauge::pipeline {
namespace {

/// The numbers as float16. Throws Error that names the file if a finite number would become infinite.
std::vector<std::uint16_t> narrowed(std::span<const float> numbers, const std::string& file) {
  std::vector<std::uint16_t> halves(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    halves[i] = io::narrow_to_half(numbers[i]);
    if (std::isfinite(numbers[i]) && !std::isfinite(io::widen_half(halves[i]))) {
      throw Error(fmt::format(
          "{}: not written, because the feature {} does not fit float16. Encode with --part-type float32",
          file, numbers[i]));
    }
  }
  return halves;
}

void write_rows(const std::filesystem::path& path, const ShardWork& work, RowTable& table,
                const EncodeOutcome& outcome) {
  io::StagedFile file(path);
  file.append(io::format_npy_header(outcome.keys.size(), work.space.width, work.number_type));
  const std::size_t absent =
      for_each_block(table, outcome.keys, work.space.width, [&](std::span<const float> rows) {
        if (work.number_type == io::DataType::float16) {
          file.append(std::as_bytes(std::span<const std::uint16_t>(narrowed(rows, path.string()))));
        } else {
          file.append(std::as_bytes(rows));
        }
      });
  if (absent != outcome.failed.size()) {
    throw Error(
        fmt::format("{}: not written, because the store has no row for {}, of which {} failed: rows were "
                    "removed or damaged in the meantime. {}",
                    path.string(), counted(absent, "record"), outcome.failed.size(), kAdviceOnAbsentRows));
  }
  file.commit();
}

void write_failed(const std::filesystem::path& path, const Shard& shard, std::size_t first,
                  const FailureLog& failed, CsvTexts texts) {
  io::CsvWriter file(path, {"row", "line", "input", "reason"}, texts);
  failed.for_each([&](const FailedMolecule& molecule) {
    file.append({std::to_string(shard.row(first + molecule.row)), std::to_string(molecule.line),
                 molecule.text, molecule.reason});
    return true;
  });
  file.finish();
}

std::string checksum_of(const std::filesystem::path& path) {
  const auto checksum = checksum_of_content(path);
  if (!checksum) {
    throw Error(path.string() + ": cannot be read, although it was just written");
  }
  return *checksum;
}

std::string problem_of_file(const std::filesystem::path& path, const std::string& expected) {
  if (!std::filesystem::exists(path)) {
    return path.string() + ": is missing";
  }
  return checksum_of_content(path) == expected
             ? ""
             : path.string() + ": is damaged: its content does not match its checksum";
}

}  // namespace

ShardPart write_part(const std::filesystem::path& shard_folder, const ShardWork& work, std::size_t part,
                     std::size_t first, RowTable& table, const EncodeOutcome& outcome, CsvTexts texts) {
  const std::filesystem::path path = part_path(shard_folder, part);
  write_rows(path, work, table, outcome);
  ShardPart written{.rows = outcome.rows,
                    .failed = outcome.failed.size(),
                    .checksum = checksum_of(path),
                    .failures_checksum = {}};
  if (written.failed > 0) {
    write_failed(failures_path(path), work.shard, first, outcome.failed, texts);
    written.failures_checksum = checksum_of(failures_path(path));
  }
  return written;
}

std::string problem_of_failures(const std::filesystem::path& shard_folder, std::size_t part,
                                const ShardPart& expected) {
  return expected.failed == 0
             ? ""
             : problem_of_file(failures_path(part_path(shard_folder, part)), expected.failures_checksum);
}

std::string problem_of(const std::filesystem::path& shard_folder, std::size_t part,
                       const ShardPart& expected) {
  const std::string problem = problem_of_file(part_path(shard_folder, part), expected.checksum);
  return problem.empty() ? problem_of_failures(shard_folder, part, expected) : problem;
}

}  // namespace molgauge::pipeline
