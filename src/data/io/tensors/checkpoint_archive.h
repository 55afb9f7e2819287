#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/io/bytes/random_access.h"
#include "data/io/bytes/zip.h"
#include "data/io/pickle/pickle_value.h"

namespace headroom::io {

/// A file of torch.save as an archive: one folder with a pickle, and the numbers of each tensor's storage.
class CheckpointArchive {
 public:
  /// Throws InputError naming the file when it is no such archive, and for the formats that have to be
  /// converted first (torch.save before 1.6, TorchScript) with the way to do so.
  explicit CheckpointArchive(std::unique_ptr<RandomAccess> file);

  /// What messages call the file.
  const std::string& file_name() const { return zip_.file_name(); }
  std::uint64_t file_size() const { return zip_.file_size(); }

  /// The pickle, as data.
  PickleDocument structure() const;

  bool contains(const std::string& entry) const { return zip_.contains(folder_ + entry); }
  std::uint64_t size(const std::string& entry) const { return zip_.size(folder_ + entry); }
  std::vector<std::byte> read(const std::string& entry) const { return zip_.read(folder_ + entry); }

 private:
  ZipArchive zip_;
  std::string folder_;  ///< with "/", or empty
};

}  // namespace headroom::io
