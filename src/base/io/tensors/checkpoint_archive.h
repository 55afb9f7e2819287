#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/io/bytes/random_access.h"
#include "base/io/bytes/zip.h"
#include "base/io/pickle/pickle_reader.h"

namespace molgauge::io {

/// The limits of the pickle of a model. Published models have less than 50,000 values. Data sets may have
/// more values.
inline constexpr PickleLimits kModelLimits = {
    .values = 300'000, .stack = 300'000, .memo = 300'000, .bytes = std::uint64_t{128} << 20};

/// A file of torch.save as an archive: one folder with a pickle and the numbers of each storage.
class CheckpointArchive {
 public:
  /// Throws InputError naming the file if it is another kind of archive. For formats that must be converted
  /// first (torch.save before 1.6, TorchScript), the error explains how.
  explicit CheckpointArchive(std::unique_ptr<RandomAccess> file);

  /// The name of the file in messages.
  const std::string& file_name() const { return zip_.file_name(); }
  std::uint64_t file_size() const { return zip_.file_size(); }

  /// The pickle, as data. Throws InputError if it exceeds the limits.
  PickleDocument structure(const PickleLimits& limits = {}) const;

  bool contains(const std::string& entry) const { return zip_.contains(folder_ + entry); }
  std::uint64_t size(const std::string& entry) const { return zip_.size(folder_ + entry); }
  std::vector<std::byte> read(const std::string& entry) const { return zip_.read(folder_ + entry); }

 private:
  ZipArchive zip_;
  std::string folder_;  ///< name of the folder with "/", or empty
};

}  // namespace molgauge::io
