#pragma once

#include <cstddef>
#include <string>

#include "allocator/recordings/recording.h"
#include "allocator/recordings/snapshot_tables.h"

namespace headroom::allocator {

/// The devices of which a snapshot knows segments or a trace, in their order.
std::vector<RecordedDevice> devices_of(const SnapshotTables& tables, SnapshotValue root);

/// One device's part of a snapshot as a recording; `settings` as PYTORCH_CUDA_ALLOC_CONF has them. Throws
/// InputError with the reason alone.
Recording recording_of(const SnapshotTables& tables, SnapshotValue root, std::size_t device,
                       const std::string& settings);

}  // namespace headroom::allocator
