#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace molgauge {

/// The absolute path without symbolic links, "." and "..". Parts that do not exist are kept. For example,
/// "./no/../d.csv" is d.csv in the working folder even if there is no folder `no`. A link to a missing file
/// gives the path of the missing file. If the path cannot be resolved (a loop of links), the result is its
/// lexical form.
std::filesystem::path resolved_path(const std::filesystem::path& path);

/// The identity of a file or folder, independent of its name: device and inode if it exists, and the resolved
/// path.
class PathIdentity {
 public:
  explicit PathIdentity(const std::filesystem::path& path);

  const std::filesystem::path& resolved() const { return resolved_; }
  bool exists() const { return node_.has_value(); }

  /// Whether both objects identify the same file or folder, even under different names or hard links.
  bool is_same(const PathIdentity& other) const;
  /// Whether this file or folder is `folder` itself or lies in it, at any depth.
  bool is_within(const PathIdentity& folder) const;

  /// The device and the inode of a file or folder. All processes sort files by them in the same order. node()
  /// returns nothing if the file or folder does not exist.
  using Node = std::pair<std::uint64_t, std::uint64_t>;
  const std::optional<Node>& node() const { return node_; }

 private:
  std::filesystem::path resolved_;
  std::optional<Node> node_;
};

/// Throws InputError if a symbolic link in the folder, at any depth, leads out of the folder. Call it before
/// a command writes into an existing folder. A stranger may have made the folder, and the command would
/// follow the link.
void require_no_links_out_of(const std::filesystem::path& folder);

}  // namespace molgauge
