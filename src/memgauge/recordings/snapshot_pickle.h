#pragma once

#include "base/io/bytes/byte_source.h"
#include "memgauge/recordings/snapshot_tables.h"

namespace molgauge::allocator {

/// Reads the pickle of a memory snapshot, protocols 2 to 5, to its end. Fills the tables and returns the
/// value of the pickle. Unlike io::read_pickle, it reads the file in pieces and stores rows, not a tree of
/// all values. Accepts only plain data: opcodes that name a class or call a function are refused, because
/// snapshots do not need them.
///
/// The text of an InputError contains the position in the file and the reason, but not the file name.
SnapshotValue read_snapshot_pickle(io::ByteSource& source, SnapshotTables& tables,
                                   const SnapshotLimits& limits);

}  // namespace molgauge::allocator
