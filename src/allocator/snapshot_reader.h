#pragma once

#include <optional>
#include <string>

#include "allocator/recording.h"
#include "allocator/snapshot_tables.h"
#include "io/bytes/byte_source.h"

namespace headroom::allocator {

struct SnapshotOptions {
  std::optional<std::size_t> device;  ///< none: the device with the most events, or else the most memory
  SnapshotLimits limits;
};

/// Reads what torch.cuda.memory._dump_snapshot() or torch::cuda::_memory_snapshot_pickled() wrote: a pickle
/// of protocol 2 to 5, of any PyTorch since 2.0. Its trace, if it has one, becomes the events; what lives at
/// the end and was not allocated within the trace lived before it. Nothing in the file is executed; memory is
/// about twice the file's size.
///
/// Throws InputError naming `name`, the byte and the reason when the pickle is damaged, hostile or no
/// snapshot.
Recording read_snapshot(io::ByteSource& source, const std::string& name, const SnapshotOptions& options = {});

}  // namespace headroom::allocator
