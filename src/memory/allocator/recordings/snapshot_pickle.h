#pragma once

#include "data/io/bytes/byte_source.h"
#include "memory/allocator/recordings/snapshot_tables.h"

namespace headroom::allocator {

/// Reads the pickle of a memory snapshot, protocols 2 to 5, to its end: fills the tables and returns the
/// value of the pickle. Unlike io::read_pickle, which keeps a tree of all values, it reads the file piece by
/// piece and keeps rows. It takes only plain data: opcodes that name a class or call a function are refused,
/// because snapshots need none of them.
///
/// The text of its InputError is the place in the file and the reason, without the file.
SnapshotValue read_snapshot_pickle(io::ByteSource& source, SnapshotTables& tables,
                                   const SnapshotLimits& limits);

}  // namespace headroom::allocator
