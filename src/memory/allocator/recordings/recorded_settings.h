#pragma once

#include <string>

#include "memory/allocator/recordings/snapshot_tables.h"

namespace headroom::allocator {

/// The settings that the allocator of a snapshot used, in the form of PYTORCH_CUDA_ALLOC_CONF. The snapshot
/// has the text of the variable and the effective values of some settings. If the two differ, the effective
/// value counts: the platform may ignore a setting, and versions of PyTorch read lists differently.
std::string recorded_settings(const SnapshotTables& tables, SnapshotValue root);

/// Whether the settings are those of PyTorch for Intel GPUs, which have their own variable.
bool has_settings_of_xpu(const SnapshotTables& tables, SnapshotValue root);

}  // namespace headroom::allocator
