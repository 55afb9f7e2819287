#pragma once

#include <cstdint>
#include <vector>

#include "allocator/recordings/snapshot_tables.h"
#include "io/bytes/byte_stream.h"
#include "io/pickle/pickle_opcodes.h"

namespace headroom::allocator {

/// The pickle machine for memory snapshots: protocols 2 to 5, only plain data. Unlike io::read_pickle, which
/// keeps a tree of all values, it fills SnapshotTables while it reads, and reads the file piece by
/// piece. Opcodes that name a class or call a function are refused: snapshots need none of them.
///
/// The text of its InputError is only the reason.
class SnapshotPickle {
 public:
  SnapshotPickle(io::ByteSource& source, SnapshotTables& tables, const SnapshotLimits& limits)
      : stream_(source), tables_(tables), limits_(limits) {}

  /// Reads to the end of the pickle and returns its value.
  SnapshotValue read();

  /// The offset of the opcode that is being executed.
  std::uint64_t position() const { return position_; }

 private:
  using Opcode = io::PickleOpcode;

  void execute(Opcode opcode);
  bool read_number(Opcode opcode);
  bool read_text(Opcode opcode);
  bool read_container(Opcode opcode);
  bool control(Opcode opcode);

  bool push(SnapshotValue value);
  bool push_integer(std::int64_t value);
  bool push_long(std::uint64_t count);
  bool push_text(std::uint64_t count);
  bool push_bytes(std::uint64_t count);
  bool push_tuple(std::size_t first);
  bool append_from(std::size_t first);
  bool assign_from(std::size_t first);
  bool remember(std::uint64_t number);
  bool recall(std::uint64_t number);
  void check_protocol();

  /// Positions on the stack: of the last mark, which is removed; of the last `count` values.
  std::size_t take_mark();
  std::size_t last(std::size_t count) const;
  void require_room(std::size_t count) const;

  io::ByteStream stream_;
  SnapshotTables& tables_;
  SnapshotLimits limits_;
  std::uint64_t position_ = 0;
  std::vector<SnapshotValue> stack_;
  std::vector<std::size_t> marks_;
  std::deque<SnapshotValue> memo_;
};

}  // namespace headroom::allocator
