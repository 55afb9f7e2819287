#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/io/bytes/byte_source.h"
#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/recordings/snapshot_tables.h"

namespace headroom::allocator {

struct SnapshotOptions {
  /// None: the device on which memory ran out, else the one that reserved the most.
  std::optional<std::size_t> device;
  bool all_devices = false;  ///< read the other devices, too
  SnapshotLimits limits;
};

/// Reads a file of torch.cuda.memory._dump_snapshot() or torch::cuda::_memory_snapshot_pickled(), or the
/// pickled list of torch.cuda.memory_snapshot(): a pickle of protocol 2 to 5, of any PyTorch since 2.0. Its
/// trace, if it has one, becomes the events; memory that is live at the end and was not allocated within the
/// trace was live before it. Code in the file is never executed; reading takes about twice the file's size.
///
/// The first recording is that of the chosen device; the others follow in the order of their numbers if
/// requested. Throws InputError naming `name`, the byte and the reason when the pickle is damaged,
/// hostile or not a snapshot; UsageError when it has no such device.
std::vector<Recording> read_snapshot_devices(io::ByteSource& source, const std::string& name,
                                             const SnapshotOptions& options = {});

/// The recording of the chosen device.
Recording read_snapshot(io::ByteSource& source, const std::string& name, const SnapshotOptions& options = {});

}  // namespace headroom::allocator
