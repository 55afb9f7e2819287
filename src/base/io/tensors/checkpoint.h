#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/io/bytes/random_access.h"
#include "base/io/pickle/pickle_value.h"
#include "base/io/tensors/checkpoint_archive.h"
#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

struct CheckpointLimits {
  std::uint64_t tensor_bytes = std::uint64_t{64} << 30;  ///< maximum bytes of all tensors together
  std::size_t tensors = 1'000'000;
};

/// The tensors of a PyTorch checkpoint (torch.save since PyTorch 1.6: a zip archive with a pickle), read
/// without executing anything in it. Objects of unknown classes are skipped. Unsupported tensors (quantised,
/// sparse, unknown types) are an error, because they would be missing.
///
/// Names: nested dicts give names joined by dots, lists give numbers ("layers.0.weight"). If the outermost
/// dict has a dict "model_state_dict", "state_dict" or "model" (searched in this order), only its content is
/// read, without this name as prefix. Optimizer states are skipped.
///
/// Every tensor becomes row-major with separate storage, even if it had other strides or shared storage.
///
/// Throws InputError naming the file, the tensor and the reason if the file is truncated, damaged or hostile,
/// if a tensor is not within its storage, or if the file has no tensors. For formats that must be converted
/// first (torch.save before 1.6, TorchScript), the error explains how.
TensorMap read_checkpoint(const std::filesystem::path& path, const CheckpointLimits& limits = {});
TensorMap read_checkpoint(std::unique_ptr<RandomAccess> file, const CheckpointLimits& limits = {});
/// Reads an archive that the caller has opened. `structure`: its pickle.
TensorMap read_checkpoint(const CheckpointArchive& archive, const PickleDocument& structure,
                          const CheckpointLimits& limits = {});

}  // namespace molgauge::io
