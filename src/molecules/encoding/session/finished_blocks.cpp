#include "molecules/encoding/session/finished_blocks.h"

#include <span>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"

namespace molgauge::session {
namespace {

std::string text_of(const Hash128& hash) { return {hash.begin(), hash.end()}; }

}  // namespace

std::filesystem::path FinishedBlocks::path_of(std::size_t block) const {
  return folder_ / fmt::format("{:08}.block", block);
}

std::string FinishedBlocks::identity_of(const Hash128& inputs) const {
  return text_of(hash128(text_of(fingerprint_) + text_of(inputs)));
}

std::optional<std::string> FinishedBlocks::find(std::size_t block, const Hash128& inputs) const {
  const std::filesystem::path path = path_of(block);
  if (!std::filesystem::exists(path)) {
    return std::nullopt;
  }
  const std::string bytes = read_file(path);
  const std::size_t head = 2 * sizeof(Hash128);
  if (bytes.size() < head || bytes.compare(0, sizeof(Hash128), identity_of(inputs)) != 0) {
    return std::nullopt;
  }
  std::string content = bytes.substr(head);
  return bytes.compare(sizeof(Hash128), sizeof(Hash128), text_of(hash128(content))) == 0
             ? std::optional(std::move(content))
             : std::nullopt;
}

void FinishedBlocks::keep(std::size_t block, const Hash128& inputs, std::string_view content) const {
  std::string bytes = identity_of(inputs) + text_of(hash128(content));
  bytes += content;
  replace_file(path_of(block), bytes);
}

}  // namespace molgauge::session
