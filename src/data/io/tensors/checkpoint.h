#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "data/io/bytes/random_access.h"
#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

struct CheckpointLimits {
  std::uint64_t tensor_bytes = std::uint64_t{64} << 30;  ///< all tensors together
  std::size_t tensors = 1'000'000;
};

/// The tensors of a PyTorch checkpoint (torch.save since PyTorch 1.6: a zip archive with a pickle), read
/// without executing anything in it. Objects of unknown classes are passed over; tensors made in ways that
/// are not known (quantised, sparse, of a type we lack) are an error, because they would be missed.
///
/// Names: nested dicts give names joined by dots, lists give numbers ("layers.0.weight"). Where the outermost
/// dict has one of the entries "model_state_dict", "state_dict" or "model" (looked for in this order) and it
/// is a dict, only its content is taken, without that name in front: optimiser states are left behind.
///
/// Every tensor comes out row-major with storage of its own, whatever strides and sharing it had.
///
/// Throws InputError naming the file, the tensor and the reason: truncated, damaged or hostile files, tensors
/// outside of their storage, no tensors at all, and the formats that have to be converted first (torch.save
/// before 1.6, TorchScript), with the way to do so.
TensorMap read_checkpoint(const std::filesystem::path& path, const CheckpointLimits& limits = {});
TensorMap read_checkpoint(std::unique_ptr<RandomAccess> file, const CheckpointLimits& limits = {});

}  // namespace headroom::io
