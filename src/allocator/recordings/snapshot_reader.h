#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocator/recordings/recording.h"
#include "allocator/recordings/snapshot_tables.h"
#include "io/bytes/byte_source.h"

namespace headroom::allocator {

struct SnapshotOptions {
  /// None: the device on which memory ran out, else the one that reserved the most.
  std::optional<std::size_t> device;
  bool all_devices = false;  ///< read the others too
  SnapshotLimits limits;
};

/// Reads what torch.cuda.memory._dump_snapshot() or torch::cuda::_memory_snapshot_pickled() wrote, or the
/// pickled list of torch.cuda.memory_snapshot(): a pickle of protocol 2 to 5, of any PyTorch since 2.0. A
/// trace, if it has one, becomes the events; what lives at the end and was not allocated within the trace
/// lived before it. Nothing in the file is executed; memory is about twice the file's size.
///
/// The first recording is that of the device chosen, the others follow in the order of their numbers where
/// they are asked for. Throws InputError naming `name`, the byte and the reason when the pickle is damaged,
/// hostile or no snapshot; UsageError when it knows no such device.
std::vector<Recording> read_snapshot_devices(io::ByteSource& source, const std::string& name,
                                             const SnapshotOptions& options = {});

/// The recording of the device chosen.
Recording read_snapshot(io::ByteSource& source, const std::string& name, const SnapshotOptions& options = {});

}  // namespace headroom::allocator
