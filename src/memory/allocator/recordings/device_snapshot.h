#pragma once

#include <cstddef>
#include <string>

#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/recordings/snapshot_tables.h"

namespace headroom::allocator {

/// The devices with segments or a trace in a snapshot, in their order.
std::vector<RecordedDevice> devices_of(const SnapshotTables& tables, SnapshotValue root);

/// One device's part of a snapshot as a recording; `settings` has the form of PYTORCH_CUDA_ALLOC_CONF. The
/// text of its InputError is only the reason.
Recording recording_of(const SnapshotTables& tables, SnapshotValue root, std::size_t device,
                       const std::string& settings);

}  // namespace headroom::allocator
