#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace headroom::train {

/// The checkpoints/ of a run folder: last.safetensors, the newest state, and checkpoint_epoch_NNN.safetensors
/// of every so-manieth and of the last planned epoch (0-based), of which the last three are kept.
class CheckpointFolder {
 public:
  /// Creates nothing.
  explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path last() const { return folder_ / "last.safetensors"; }
  std::filesystem::path of_epoch(std::size_t epoch) const;

  static constexpr std::size_t kEpochsBetween = 5;
  static bool is_kept(std::size_t epoch, std::size_t planned_epochs,
                      std::size_t epochs_between = kEpochsBetween);
  /// Removes all but the three of the latest epochs.
  void rotate() const;
  /// The newest state: last.safetensors, or else the checkpoint of the latest epoch.
  std::optional<std::filesystem::path> newest() const;
  /// Removes every checkpoint.
  void clear() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace headroom::train
