#include "base/train/checkpoint_folder.h"

#include <charconv>
#include <map>
#include <string>

#include <fmt/format.h>

namespace molgauge::train {
namespace {

constexpr std::size_t kKept = 3;
constexpr std::string_view kStem = "checkpoint_epoch_", kExtension = ".safetensors";

std::optional<std::size_t> epoch_of(const std::string& name) {
  if (!name.starts_with(kStem) || !name.ends_with(kExtension)) {
    return std::nullopt;
  }
  const char* const first = name.data() + kStem.size();
  const char* const last = name.data() + name.size() - kExtension.size();
  std::size_t epoch = 0;
  const auto [end, problem] = std::from_chars(first, last, epoch);
  return problem == std::errc() && end == last ? std::optional(epoch) : std::nullopt;
}

std::map<std::size_t, std::filesystem::path> by_epoch(const std::filesystem::path& folder) {
  std::map<std::size_t, std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (const auto epoch = epoch_of(entry.path().filename().string())) {
        files[*epoch] = entry.path();
      }
    }
  }
  return files;
}

}  // namespace

std::filesystem::path CheckpointFolder::of_epoch(std::size_t epoch) const {
  return folder_ / fmt::format("{}{:03}{}", kStem, epoch, kExtension);
}

bool CheckpointFolder::is_kept(std::size_t epoch, std::size_t planned_epochs, std::size_t epochs_between) {
  return epoch % epochs_between == 0 || epoch + 1 == planned_epochs;
}

void CheckpointFolder::rotate() const {
  auto files = by_epoch(folder_);
  while (files.size() > kKept) {
    std::filesystem::remove(files.begin()->second);
    files.erase(files.begin());
  }
}

std::optional<std::filesystem::path> CheckpointFolder::newest() const {
  if (std::filesystem::exists(last())) {
    return last();
  }
  const auto files = by_epoch(folder_);
  return files.empty() ? std::nullopt : std::optional(files.rbegin()->second);
}

void CheckpointFolder::clear() const {
  for (const auto& [epoch, file] : by_epoch(folder_)) {
    std::filesystem::remove(file);
  }
  std::filesystem::remove(last());
}

}  // namespace molgauge::train
