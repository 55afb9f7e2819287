#include "allocator/snapshot_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "allocator/event_log.h"
#include "allocator/frame_names.h"
#include "allocator/snapshot_pickle.h"
#include "core/error.h"

namespace headroom::allocator {
namespace {

using Kind = SnapshotValue::Kind;

Word action_of(const TraceRow& row) { return row.action < kWords.size() ? Word{row.action} : Word::count; }

/// Makes a Recording of one device's part of a snapshot.
class DeviceSnapshot {
 public:
  DeviceSnapshot(const SnapshotTables& tables, SnapshotValue root, std::size_t device)
      : tables_(tables), names_(tables) {
    for (const auto& item : sequence(tables.find(root, Word::segments))) {
      const SegmentRow* segment = tables.segment(item);
      if (segment == nullptr) {
        throw InputError("an item of 'segments' is no segment");
      }
      if (segment->device == device) {
        segments_.push_back(segment);
      }
    }
    const auto& traces = sequence(tables.find(root, Word::device_traces));
    if (device < traces.size()) {
      trace_ = traces[device];
    }
  }

  Recording read() {
    find_reserve_at_start();
    for (const auto& item : sequence(trace_)) {
      const TraceRow* row = tables_.event(item);
      if (row == nullptr) {
        throw InputError("an item of 'device_traces' is no event");
      }
      apply(*row);
    }
    std::vector<SegmentPicture> pictures;
    for (const SegmentRow* segment : segments_) {
      pictures.push_back(picture(*segment));
    }
    Recording recording = log_.finish();
    recording.recorded_segments = std::move(pictures);
    if (peak_reserved_ > 0) {
      recording.recorded_reserve = RecordedReserve{peak_reserved_, reserved_};
    }
    if (capacity_) {
      recording.capacity = std::max(*capacity_, peak_reserved_);
    }
    return recording;
  }

 private:
  const std::vector<SnapshotValue>& sequence(SnapshotValue value) const {
    return tables_.items(value.is(Kind::sequence) ? value.index() : 0);
  }

  /// The trace says what was added and given back, the segments what is there at the end.
  void find_reserve_at_start() {
    for (const SegmentRow* segment : segments_) {
      reserved_ += segment->total_bytes;
    }
    for (const auto& item : sequence(trace_)) {
      if (const TraceRow* row = tables_.event(item)) {
        reserved_ -= reserve_change(*row);
      }
    }
    peak_reserved_ = std::max(peak_reserved_, is_sane(reserved_) ? reserved_ : 0);
  }

  static bool is_sane(std::uint64_t reserved) { return reserved < std::uint64_t{1} << 50; }

  /// Modulo 2^64, so that it can be added and subtracted.
  static std::uint64_t reserve_change(const TraceRow& row) {
    switch (action_of(row)) {
      case Word::segment_alloc:
      case Word::segment_map:
        return row.bytes;
      case Word::segment_free:
      case Word::segment_unmap:
        return 0 - row.bytes;
      default:
        return 0;
    }
  }

  void apply(const TraceRow& row) {
    reserved_ += reserve_change(row);
    if (is_sane(reserved_)) {
      peak_reserved_ = std::max(peak_reserved_, reserved_);
    }
    switch (action_of(row)) {
      case Word::alloc:
        log_.allocate(row.address, row.bytes, row.stream, log_.origin(names_.of(row.frames)));
        return;
      case Word::free_requested:
        log_.request_free(row.address, row.bytes, row.stream);
        return;
      case Word::free_completed:
        log_.complete_free(row.address, row.bytes, row.stream);
        return;
      case Word::oom:
        log_.out_of_memory(row.bytes, row.stream, log_.origin(names_.of(row.frames)));
        // What the allocator held and what the driver had left: all it could have had.
        if (is_sane(reserved_) && is_sane(row.address)) {
          capacity_ = std::max(capacity_.value_or(0), reserved_ + row.address);
        }
        return;
      default:
        return;  // segments, snapshots, and what later versions add
    }
  }

  SegmentPicture picture(const SegmentRow& segment) {
    SegmentPicture result;
    result.address = segment.address;
    result.stream = 0;
    result.is_small = segment.is_small;
    result.is_expandable = segment.is_expandable;
    std::uint64_t address = segment.address;  // old files give sizes alone
    for (const auto& item : sequence({Kind::sequence, segment.blocks})) {
      const BlockRow* block = tables_.block(item);
      if (block == nullptr) {
        throw InputError("an item of 'blocks' is no block");
      }
      if (block->address.value_or(address) != address) {
        throw InputError(fmt::format("the blocks of the segment at {:#x} do not tile it", segment.address));
      }
      result.blocks.push_back(block_picture(*block, address, segment.stream));
      address += block->bytes;
    }
    result.reserved = address - segment.address;
    if (result.reserved != segment.total_bytes) {
      throw InputError(fmt::format("the blocks of the segment at {:#x} have {} bytes, the segment {}",
                                   segment.address, result.reserved, segment.total_bytes));
    }
    return result;
  }

  BlockPicture block_picture(const BlockRow& block, std::uint64_t address, std::uint64_t stream) {
    BlockPicture result{address, block.bytes, 0, BlockState::free, 0};
    const auto state = Word{block.state};
    if (state == Word::inactive) {
      return result;
    }
    result.state = state == Word::active_allocated ? BlockState::allocated : BlockState::pending;
    result.requested = block.requested.value_or(block.bytes);
    result.origin = log_.origin(block.frames == 0 ? "before the recording" : names_.of(block.frames));
    if (result.state == BlockState::allocated) {
      log_.resident_at_end(address, result.requested, stream, result.origin);
    }
    return result;
  }

  const SnapshotTables& tables_;
  FrameNames names_;
  EventLog log_;
  std::vector<const SegmentRow*> segments_;
  SnapshotValue trace_;
  std::uint64_t reserved_ = 0, peak_reserved_ = 0;
  std::optional<std::uint64_t> capacity_;
};

std::size_t busiest_device(const SnapshotTables& tables, SnapshotValue root) {
  std::size_t busiest = 0, most_events = 0;
  const SnapshotValue traces = tables.find(root, Word::device_traces);
  if (traces.is(Kind::sequence)) {
    const auto& devices = tables.items(traces.index());
    for (std::size_t device = 0; device < devices.size(); ++device) {
      const std::size_t events =
          devices[device].is(Kind::sequence) ? tables.items(devices[device].index()).size() : 0;
      if (events > most_events) {
        busiest = device;
        most_events = events;
      }
    }
  }
  if (most_events > 0) {
    return busiest;
  }
  std::unordered_map<std::uint64_t, std::uint64_t> reserved;
  for (const auto& item : tables.items(tables.find(root, Word::segments).index())) {
    if (const SegmentRow* segment = tables.segment(item)) {
      reserved[segment->device] += segment->total_bytes;
      busiest =
          reserved[segment->device] > reserved[busiest] ? static_cast<std::size_t>(segment->device) : busiest;
    }
  }
  return busiest;
}

std::string recorded_settings(const SnapshotTables& tables, SnapshotValue root) {
  const SnapshotValue settings = tables.find(root, Word::allocator_settings);
  const SnapshotValue text = tables.find(settings, Word::allocator_configuration);
  return text.is(Kind::text) ? std::string(tables.text_of(static_cast<std::uint32_t>(text.bits))) : "";
}

Recording read(SnapshotTables& tables, SnapshotValue root, const SnapshotOptions& options) {
  if (tables.entries(root) == nullptr || !tables.find(root, Word::segments).is(Kind::sequence)) {
    throw InputError("it holds no memory snapshot: a dict with 'segments' is expected");
  }
  const std::size_t device = options.device ? *options.device : busiest_device(tables, root);
  Recording recording = DeviceSnapshot(tables, root, device).read();
  recording.settings = recorded_settings(tables, root);
  return recording;
}

}  // namespace

Recording read_snapshot(io::ByteSource& source, const std::string& name, const SnapshotOptions& options) {
  SnapshotTables tables(options.limits);
  SnapshotValue root;
  {
    // The machine's stack and memo go before the recording is made.
    SnapshotPickle pickle(source, tables, options.limits);
    try {
      root = pickle.read();
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: cannot be read as a memory snapshot (byte {}): {}", name,
                                   pickle.position(), error.what()));
    }
  }
  try {
    Recording recording = read(tables, root, options);
    recording.source = name;
    recording.format = "PyTorch snapshot";
    return recording;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: is no memory snapshot of PyTorch: {}", name, error.what()));
  }
}

}  // namespace headroom::allocator
