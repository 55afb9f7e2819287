#include "molecules/encoding/shards/shard_rows.h"

#include <algorithm>
#include <charconv>

#include "base/core/error.h"
#include "base/core/files/regular_file.h"
#include "base/core/text/hexadecimal.h"
#include "base/io/tensors/npy_header.h"
#include "molecules/encoding/pipeline/feature_file.h"
#include "molecules/encoding/shards/shard_part.h"

namespace molgauge::pipeline {
namespace {

/// Bytes of the buffer of one shard, and of the buffers of all shards together.
constexpr std::size_t kBufferBytes = std::size_t{256} << 10, kAllBuffers = std::size_t{32} << 20;
constexpr const char* kMend = ". Run its shard again, which creates the part again";

const char* npy_name(io::DataType type) { return type == io::DataType::float16 ? "<f2" : "<f4"; }

}  // namespace

ShardRows::ShardRows(std::filesystem::path shard_folder, const ShardManifest& manifest)
    : folder_(std::move(shard_folder)),
      manifest_(manifest),
      row_bytes_(manifest.work.space.width * io::element_size(manifest.work.number_type)),
      buffer_(std::max(std::min(kBufferBytes, kAllBuffers / manifest.work.shard.count) / row_bytes_,
                       std::size_t{1}) *
              row_bytes_) {}

std::span<const std::byte> ShardRows::next() {
  if (rows_left_ == 0) {
    open_part();
  }
  if (buffer_begin_ == buffer_end_) {
    fill();
  }
  const std::span<const std::byte> row = std::span(buffer_).subspan(buffer_begin_, row_bytes_);
  buffer_begin_ += row_bytes_;
  if (--rows_left_ == 0) {
    close_part();
  }
  return row;
}

void ShardRows::open_part() {
  if (part_ == manifest_.parts.size()) {
    throw InputError(manifest_path(folder_).string() + ": has fewer rows than the other shards");
  }
  const ShardPart& part = manifest_.parts[part_];
  const auto file = io::open_random_access(part_path(folder_, part_));
  const io::NpyHeader header = io::read_npy_header(*file);
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(part.rows),
                                           static_cast<std::int64_t>(manifest_.work.space.width)};
  if (header.description != npy_name(manifest_.work.number_type) || header.fortran_order ||
      header.shape != shape || file->size() != header.data_offset + part.rows * row_bytes_) {
    refuse("has another shape or type than stated in its manifest");
  }
  hash_ = std::make_unique<GrowingHash128>();
  hash_->append(file->read(0, header.data_offset));
  read_to_ = header.data_offset;
  rows_left_ = part.rows;
}

void ShardRows::fill() {
  buffer_begin_ = 0;
  buffer_end_ = std::min(buffer_.size(), rows_left_ * row_bytes_);
  const std::span<std::byte> target = std::span(buffer_).first(buffer_end_);
  // The file is opened for each buffer, because there may be more shards than a process may have open files.
  io::open_random_access(part_path(folder_, part_))->read(read_to_, target);
  hash_->append(target);
  read_to_ += buffer_end_;
}

void ShardRows::close_part() {
  if (to_hexadecimal(hash_->value()) != manifest_.parts[part_].checksum) {
    refuse("is damaged: its content does not match its checksum");
  }
  ++part_;
}

void ShardRows::refuse(const std::string& reason) const {
  throw InputError(part_path(folder_, part_).string() + ": " + reason + kMend);
}

ShardFailures::ShardFailures(std::filesystem::path shard_folder, const ShardManifest& manifest)
    : folder_(std::move(shard_folder)), manifest_(manifest) {}

std::optional<FailedRow> ShardFailures::next() {
  while (true) {
    if (file_) {
      if (auto row = file_->next()) {
        FailedRow failed;
        const std::string number = row->fields.size() == 4 ? row->fields[0] : "";
        const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), failed.row);
        if (number.empty() || problem != std::errc() || end != number.data() + number.size()) {
          throw InputError(path_.string() + ":" + std::to_string(row->line) +
                           ": is not a row of failed records" + kMend);
        }
        failed.line = std::move(row->fields[1]);
        failed.text = std::move(row->fields[2]);
        failed.reason = std::move(row->fields[3]);
        return failed;
      }
      file_.reset();
    }
    while (next_part_ < manifest_.parts.size() && manifest_.parts[next_part_].failed == 0) {
      ++next_part_;
    }
    if (next_part_ == manifest_.parts.size()) {
      return std::nullopt;
    }
    path_ = failures_path(part_path(folder_, next_part_));
    const std::string found = problem_of_failures(folder_, next_part_, manifest_.parts[next_part_]);
    if (!found.empty()) {
      throw InputError(found + kMend);
    }
    ++next_part_;
    require_regular_file(path_);
    file_ = std::make_unique<io::CsvReader>(path_.string(), ',');
    file_->next();  // skips the header
  }
}

}  // namespace molgauge::pipeline
