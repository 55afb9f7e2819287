#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/io/bytes/byte_source.h"
#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/snapshot_tables.h"

namespace molgauge::allocator {

struct SnapshotOptions {
  /// The device of the first recording. If empty, it is the device on which memory ran out, or else the
  /// device with the most reserved memory.
  std::optional<std::size_t> device;
  bool all_devices = false;  ///< read the other devices as well
  TraceRange range;          ///< the part of each trace to read
  SnapshotLimits limits;
};

/// Reads the output of torch.cuda.memory._dump_snapshot() or torch::cuda::_memory_snapshot_pickled(), or the
/// pickled list of torch.cuda.memory_snapshot(). These are pickles of protocol 2 to 5 from PyTorch 2.0 or
/// later. The entries of the trace become events. If memory is live at the end but was not allocated in the
/// trace, it was already live at the beginning. Code in the file is never executed. A million events need
/// about 100 MB of memory. Of a trace with more events than SnapshotLimits::events, only the last ones are
/// read. Events that are not read need only 10 to 20 MB for each million, for their places in the memo.
///
/// If the range ends before the trace, the segments of the recording are the segments at the end of the
/// range, because the later events are undone. This fails for expandable segments, so such a recording has no
/// segments.
///
/// The first recording belongs to the chosen device. If requested, the other devices follow in the order of
/// their numbers. If the pickle is damaged, hostile or not a snapshot, throws InputError that contains
/// `name`, the byte and the reason. Throws UsageError if the snapshot does not contain the chosen device.
std::vector<Recording> read_snapshot_devices(io::ByteSource& source, const std::string& name,
                                             const SnapshotOptions& options = {});

}  // namespace molgauge::allocator
