#include "base/core/files/path_identity.h"

#include <algorithm>
#include <deque>

#include <sys/stat.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

namespace fs = std::filesystem;

/// The Linux kernel follows at most 40 links.
constexpr std::size_t kMaxLinks = 40;

std::optional<PathIdentity::Node> node_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return PathIdentity::Node{status.st_dev, status.st_ino};
}

fs::path from_the_root(const fs::path& path) {
  std::error_code unknown;  // fails if the working folder has been removed
  fs::path whole = fs::absolute(path, unknown);
  return unknown ? path : whole;
}

}  // namespace

fs::path resolved_path(const fs::path& path) {
  const fs::path whole = from_the_root(path);
  std::deque<fs::path> parts(whole.begin(), whole.end());
  fs::path resolved;
  for (std::size_t links = 0; !parts.empty();) {
    const fs::path part = parts.front();
    parts.pop_front();
    if (part.empty() || part == ".") {
      continue;
    }
    if (part == "..") {
      resolved = resolved.parent_path();
      continue;
    }
    const fs::path next = resolved / part;
    std::error_code unknown;
    const fs::path target = fs::is_symlink(next, unknown) ? fs::read_symlink(next, unknown) : fs::path();
    if (target.empty()) {
      resolved = next;
      continue;
    }
    if (++links > kMaxLinks) {
      return whole.lexically_normal();
    }
    parts.insert(parts.begin(), target.begin(), target.end());
    if (target.is_absolute()) {
      resolved.clear();
    }
  }
  return resolved;
}

PathIdentity::PathIdentity(const fs::path& path)
    : resolved_(resolved_path(path)), node_(node_of(resolved_)) {}

bool PathIdentity::is_same(const PathIdentity& other) const {
  return (node_ && node_ == other.node_) || resolved_ == other.resolved_;
}

bool PathIdentity::is_within(const PathIdentity& folder) const {
  const auto [own, other] =
      std::mismatch(resolved_.begin(), resolved_.end(), folder.resolved_.begin(), folder.resolved_.end());
  if (other == folder.resolved_.end()) {
    return true;
  }
  // The paths can differ although the folder is the same, for example if it is mounted twice.
  for (fs::path parent = resolved_; folder.node_ && !parent.empty(); parent = parent.parent_path()) {
    if (node_of(parent) == folder.node_) {
      return true;
    }
    if (parent == parent.parent_path()) {
      break;
    }
  }
  return false;
}

void require_no_links_out_of(const fs::path& folder) {
  const PathIdentity whole(folder);
  std::error_code problem, ignored;
  for (fs::recursive_directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    if (entry->is_symlink(ignored) && !PathIdentity(entry->path()).is_within(whole)) {
      throw InputError(
          entry->path().string() + ": is a symbolic link that leads out of the folder " + folder.string() +
          ", into which this command writes. Replace the link by a copy of its target, or remove it");
    }
  }
}

}  // namespace molgauge
