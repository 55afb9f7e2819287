#pragma once

#include <string>

#include "memgauge/recordings/snapshot_tables.h"

namespace molgauge::allocator {

/// The settings of the recorded allocator in the form of PYTORCH_CUDA_ALLOC_CONF. A snapshot has the text of
/// the variable and the effective values of some settings. If the two differ, the effective value is used,
/// because a platform may ignore a setting, and versions of PyTorch parse lists differently.
std::string recorded_settings(const SnapshotTables& tables, SnapshotValue root);

/// Whether the settings come from PyTorch for Intel GPUs, which has a separate variable.
bool has_settings_of_xpu(const SnapshotTables& tables, SnapshotValue root);

}  // namespace molgauge::allocator
