#pragma once

#include <cstddef>
#include <string>

#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/snapshot_tables.h"

namespace molgauge::allocator {

/// The devices in a snapshot that have segments or a trace, in order.
std::vector<RecordedDevice> devices_of(const SnapshotTables& tables, SnapshotValue root);

/// The trace of a device: a sequence of events, or a value of the kind `none`.
SnapshotValue trace_of(const SnapshotTables& tables, SnapshotValue root, std::size_t device);

/// Makes a recording from the part of a snapshot that belongs to one device. `settings` has the form of
/// PYTORCH_CUDA_ALLOC_CONF. The text of an InputError contains only the reason.
Recording recording_of(const SnapshotTables& tables, SnapshotValue root, std::size_t device,
                       const std::string& settings);

}  // namespace molgauge::allocator
