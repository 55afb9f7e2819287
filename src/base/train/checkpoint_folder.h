#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace molgauge::train {

/// The folder checkpoints/ of a run. last.safetensors has the newest state. checkpoint_epoch_NNN.safetensors
/// (0-based) is written every few epochs and for the last planned epoch. The latest three of them are kept.
class CheckpointFolder {
 public:
  /// The constructor does not create the folder.
  explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path last() const { return folder_ / "last.safetensors"; }
  std::filesystem::path of_epoch(std::size_t epoch) const;

  static constexpr std::size_t kEpochsBetween = 5;
  static bool is_kept(std::size_t epoch, std::size_t planned_epochs,
                      std::size_t epochs_between = kEpochsBetween);
  /// Removes all checkpoints of epochs except the latest three.
  void rotate() const;
  /// The newest state: last.safetensors if it exists, otherwise the checkpoint of the latest epoch.
  std::optional<std::filesystem::path> newest() const;
  /// Removes every checkpoint.
  void clear() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace molgauge::train
