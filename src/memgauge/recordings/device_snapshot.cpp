#include "memgauge/recordings/device_snapshot.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/trace/allocator_settings.h"
#include "memgauge/recordings/annotations.h"
#include "memgauge/recordings/event_log.h"
#include "memgauge/recordings/frame_names.h"
#include "memgauge/recordings/initial_allocator_state.h"
#include "memgauge/recordings/release_bursts.h"
#include "memgauge/simulator/rounding.h"

namespace molgauge::allocator {
namespace {

using Kind = SnapshotValue::Kind;

constexpr std::size_t kEventsATimeMark = 16;
constexpr std::size_t kMaxDevices = 4096;
constexpr std::size_t kLongestMetadata = 200;

bool is_sane(std::uint64_t reserved) { return reserved < std::uint64_t{1} << 50U; }

const std::vector<SnapshotValue>& sequence(const SnapshotTables& tables, SnapshotValue value) {
  return tables.items(value.is(Kind::sequence) ? value.index() : 0);
}

/// torch.cuda.memory_snapshot() returns only the segments, as a list.
const std::vector<SnapshotValue>& segments_of(const SnapshotTables& tables, SnapshotValue root) {
  return sequence(tables, root.is(Kind::sequence) ? root : tables.find(root, Word::segments));
}

/// Blocks in an unknown state count as in use, so the explanation misses no memory.
bool is_in_use(const BlockRow& block) {
  return block.state != static_cast<std::uint32_t>(Word::inactive) &&
         block.state != static_cast<std::uint32_t>(Word::active_pending_free) &&
         block.state != static_cast<std::uint32_t>(Word::active_awaiting_free);
}

/// Throws InputError if segments of a device overlap, because the shared bytes would count twice.
void refuse_overlaps(const SnapshotTables& tables, const std::vector<SnapshotValue>& items) {
  std::vector<const SegmentRow*> segments;
  segments.reserve(items.size());
  for (const auto& item : items) {
    segments.push_back(tables.segment(item));
  }
  const auto place = [](const SegmentRow* segment) { return std::pair(segment->device, segment->address); };
  std::ranges::sort(segments, {}, place);
  for (std::size_t i = 1; i < segments.size(); ++i) {
    const SegmentRow& before = *segments[i - 1];
    const SegmentRow& next = *segments[i];
    if (before.device == next.device && next.address - before.address < before.total_bytes) {
      throw InputError(
          fmt::format("the segments of device {} at {:#x} and {:#x} overlap. The file is damaged, dump the "
                      "snapshot again",
                      before.device, before.address, next.address));
    }
  }
}

AllocatorSettings settings_or_defaults(const std::string& text) {
  try {
    return parse_allocator_settings(text);
  } catch (const UsageError&) {
    return {};
  }
}

/// Converts the part of a snapshot that belongs to one device into a Recording.
class DeviceSnapshot {
 public:
  DeviceSnapshot(const SnapshotTables& tables, SnapshotValue root, std::size_t device,
                 const std::string& settings)
      : tables_(tables),
        names_(tables),
        annotations_(tables, tables.find(root, Word::external_annotations), device),
        trace_(sequence(tables, trace_of(tables, root, device))),
        ranged_(tables.outside_range(trace_of(tables, root, device))),
        settings_(settings_or_defaults(settings)) {
    for (const auto& item : segments_of(tables, root)) {
      const SegmentRow* segment = tables.segment(item);
      if (segment == nullptr) {
        throw InputError("an item of 'segments' is not a segment");
      }
      if (segment->device == device) {
        segments_.push_back(segment);
      }
    }
  }

  Recording read() {
    std::vector<SegmentPicture> pictures;
    for (const SegmentRow* segment : segments_) {
      pictures.push_back(picture(*segment));
    }
    find_reserve_at_start();
    find_first_failure();
    name_memory_from_before_the_range();
    const ReleaseBursts bursts(tables_, trace_, reserved_, peak_reserved_, settings_);
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const TraceRow& row = event(trace_[i]);
      if (bursts.ended_before(i) == ReleaseReason::empty_cache) {
        log_.empty_cache();
      }
      annotations_.advance(row.time_us, log_);
      apply(row);
    }
    if (bursts.ended_before(trace_.size()) == ReleaseReason::empty_cache) {
      log_.empty_cache();
    }
    annotations_.finish(log_);
    Recording recording;
    adopt_what_lives_at_the_end(pictures);
    rewind_to_the_end_of_the_range(pictures, recording);
    roll_back(pictures, recording);
    finish(recording, bursts);
    recording.recorded_segments = std::move(pictures);
    return recording;
  }

 private:
  const TraceRow& event(SnapshotValue item) const {
    const TraceRow* const row = tables_.event(item);
    if (row == nullptr) {
      throw InputError("an item of 'device_traces' is not an event");
    }
    return *row;
  }

  /// Finds the stacks of the memory that was allocated before the range.
  void name_memory_from_before_the_range() {
    if (ranged_ == nullptr) {
      return;
    }
    std::unordered_map<std::uint64_t, std::uint32_t> origins;
    for (const auto& [address, frames] : ranged_->frames_before()) {
      origins.emplace(address, origin_of(frames));
    }
    log_.know_residents(std::move(origins));
  }

  /// Undoes the events after the range, so that `pictures` are the segments at its end.
  void rewind_to_the_end_of_the_range(std::vector<SegmentPicture>& pictures, Recording& recording) {
    if (ranged_ == nullptr || ranged_->after() == 0) {
      return;
    }
    std::unordered_map<std::uint64_t, std::uint32_t> origins;
    for (const auto& segment : pictures) {
      for (const auto& block : segment.blocks) {
        origins.emplace(block.address, block.origin);
      }
    }
    InitialAllocatorState state(pictures, settings_);
    for (auto later = ranged_->later().rbegin(); later != ranged_->later().rend(); ++later) {
      state.undo(later->second);
    }
    if (state.contradiction().empty()) {
      state.check();
    }
    recording.start_unknown = state.contradiction();
    pictures = recording.start_unknown.empty() ? with_origins(state.pictures(), trace_.size(), origins)
                                               : std::vector<SegmentPicture>{};
  }

  /// Computes the bytes that were reserved at the start of the trace: the bytes of all segments at its end,
  /// minus the changes in the trace.
  void find_reserve_at_start() {
    for (const SegmentRow* segment : segments_) {
      reserved_ += segment->total_bytes;
    }
    reserved_ -= ranged_ == nullptr ? 0 : ranged_->later_reserve_change();
    for (const auto& item : trace_) {
      reserved_ -= reserve_change(event(item));
    }
    // The result is negative if the trace has segments that the snapshot does not list. In this case, the
    // reserved memory at the start counts as 0.
    reserved_ = is_sane(reserved_) ? reserved_ : 0;
    reserved_at_start_ = reserved_;
    std::uint64_t reserved = reserved_;
    for (const auto& item : trace_) {
      peak_reserved_ = std::max(peak_reserved_, is_sane(reserved) ? reserved : 0);
      reserved += reserve_change(event(item));
    }
    peak_reserved_ = std::max(peak_reserved_, is_sane(reserved) ? reserved : 0);
  }

  void apply(const TraceRow& row) {
    note_time(row.time_us);
    if (const std::uint64_t change = reserve_change(row); change != 0) {
      reserved_ += change;
      note_reserve();
    }
    if (action_of(row) == Word::segment_alloc) {
      placed_.push_back({row.address, row.bytes});
    }
    switch (action_of(row)) {
      case Word::alloc:
        log_.allocate(row.address, row.bytes, stream_of(row), origin_of(row));
        return;
      case Word::free_requested:
        log_.request_free(row.address, row.bytes, stream_of(row));
        return;
      case Word::free_completed:
        log_.complete_free(row.address, row.bytes, stream_of(row));
        return;
      case Word::oom:
        note_failure(row);
        log_.out_of_memory(row.bytes, stream_of(row), origin_of(row));
        return;
      default:
        return;  // nothing to log for segments, snapshots, and actions of newer versions
    }
  }

  void find_first_failure() {
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      if (action_of(event(trace_[i])) == Word::oom) {
        first_failure_ = i;
        return;
      }
    }
  }

  /// Notes an out-of-memory error. The capacity of the device is the sum of the reserved bytes and the bytes
  /// that the driver reports as free (`row.address`). If the free bytes were sufficient for the request, the
  /// limit set by set_per_process_memory_fraction() refused it.
  void note_failure(const TraceRow& row) {
    if (!is_sane(reserved_) || !is_sane(row.address)) {
      return;
    }
    capacity_ = std::max(capacity_.value_or(0), reserved_ + row.address);
    if (!failure_) {
      failure_ = RecordedFailure{log_.size(), row.address, reserved_, {}};
    }
    const std::uint64_t wanted = segment_bytes(round_request(row.bytes, settings_), settings_);
    if (row.address >= wanted && !settings_.memory_fraction) {
      const std::uint64_t most = reserved_ + wanted - 1;
      allowance_ = RecordedAllowance{peak_reserved_, std::min(most, allowance_ ? allowance_->most : most)};
    }
  }

  void note_time(std::uint64_t time_us) {
    if (time_us > 0 && (times_.empty() || log_.size() >= times_.back().event + kEventsATimeMark)) {
      times_.push_back({log_.size(), std::max(time_us, times_.empty() ? 0 : times_.back().time_us)});
    }
  }

  void note_reserve() {
    if (!is_sane(reserved_)) {
      return;
    }
    if (!changes_.empty() && changes_.back().event == log_.size()) {
      changes_.back().bytes = reserved_;
    } else {
      changes_.push_back({log_.size(), reserved_});
    }
  }

  std::uint32_t origin_of(const TraceRow& row) {
    const SnapshotValue metadata = tables_.metadata_of(row);
    if (metadata.is(Kind::none)) {
      return origin_of(row.frames);
    }
    const NamedStack& stack = names_.of(row.frames);
    return log_.origin(fmt::format("[{}] {}", text_of_metadata(metadata), stack.name), stack.summary);
  }

  std::uint32_t origin_of(std::uint32_t frames) {
    const NamedStack& stack = names_.of(frames);
    const auto [entry, is_new] = origins_.try_emplace(&stack, 0);
    if (is_new) {
      entry->second = log_.origin(stack.name, stack.summary);
    }
    return entry->second;
  }

  /// Converts user metadata to a text. A text is only shortened. A dictionary becomes "key=value, ...",
  /// without the entries whose key or value is not a text.
  std::string text_of_metadata(SnapshotValue value) const {
    if (value.is(Kind::text)) {
      return std::string(tables_.text_of(static_cast<std::uint32_t>(value.bits)).substr(0, kLongestMetadata));
    }
    std::string text;
    if (const auto* entries = tables_.entries(value)) {
      for (const auto& [key, what] : *entries) {
        if (key.is(Kind::text) && what.is(Kind::text) && text.size() < kLongestMetadata) {
          text += fmt::format(
              "{}{}={}", text.empty() ? "" : ", ", tables_.text_of(static_cast<std::uint32_t>(key.bits)),
              tables_.text_of(static_cast<std::uint32_t>(what.bits)).substr(0, kLongestMetadata));
        }
      }
    }
    return text.empty() ? "user metadata" : text;
  }

  /// A block never moves to another stream or pool. The streams of a private pool therefore get handles that
  /// no other pool uses.
  std::uint64_t stream_of(const TraceRow& row) { return stream_in(row.stream, row.address); }
  std::uint64_t stream_in(std::uint64_t stream, std::uint64_t address) {
    const auto after = private_pools_.upper_bound(address);
    if (after == private_pools_.begin()) {
      return stream;
    }
    const auto& [start, pool] = *std::prev(after);
    if (address - start >= pool.bytes) {
      return stream;
    }
    const std::uint64_t handle = stream | std::uint64_t{pool.number} << 16U;
    streams_of_pools_.try_emplace(handle, pool.number);
    return handle;
  }

  SegmentPicture picture(const SegmentRow& segment) {
    SegmentPicture result;
    result.address = segment.address;
    result.stream = segment.stream;
    result.is_small = segment.is_small;
    result.is_expandable = segment.is_expandable;
    result.pool = pool_name(segment);
    std::uint64_t address = segment.address;  // old files contain no addresses of blocks, only sizes
    for (const auto& item : tables_.items(segment.blocks)) {
      const BlockRow* block = tables_.block(item);
      if (block == nullptr) {
        throw InputError("an item of 'blocks' is not a block");
      }
      if (block->address.value_or(address) != address) {
        throw InputError(fmt::format("the blocks of the segment at {:#x} do not tile it", segment.address));
      }
      result.blocks.push_back(block_picture(*block, address));
      address += block->bytes;
    }
    result.reserved = address - segment.address;
    if (result.reserved != segment.total_bytes) {
      throw InputError(fmt::format("the blocks of the segment at {:#x} have {} bytes, the segment {}",
                                   segment.address, result.reserved, segment.total_bytes));
    }
    if (!result.pool.empty()) {
      const auto number = static_cast<std::uint32_t>(
          pool_numbers_.try_emplace(result.pool, pool_numbers_.size() + 1).first->second);
      private_pools_[segment.address] = {result.reserved, number};
    }
    return result;
  }

  /// Returns a name such as "(0, 1)", or an empty text for the common pool, (0, 0).
  std::string pool_name(const SegmentRow& segment) const {
    const auto& pair = tables_.items(segment.pool);
    if (pair.size() != 2 || (pair[0].bits == 0 && pair[1].bits == 0)) {
      return "";
    }
    return fmt::format("({}, {})", pair[0].bits, pair[1].bits);
  }

  BlockPicture block_picture(const BlockRow& block, std::uint64_t address) {
    const auto is = [&](Word word) { return block.state == static_cast<std::uint32_t>(word); };
    BlockPicture result;
    result.address = address;
    result.bytes = block.bytes;
    result.state = is(Word::inactive)                                                ? BlockState::free
                   : is(Word::active_pending_free) || is(Word::active_awaiting_free) ? BlockState::pending
                                                                                     : BlockState::allocated;
    if (result.state != BlockState::free) {
      const std::uint32_t frames = block.frames != 0 ? block.frames : newest_frames(block.history);
      result.requested = std::min(block.requested.value_or(block.bytes), block.bytes);
      result.origin = origin_of(frames);
    }
    return result;
  }

  /// Returns the stack of the newest allocation in a block. PyTorch 2.0 stores the history of the allocations
  /// in a block, the newest first.
  std::uint32_t newest_frames(std::uint32_t history) const {
    const auto& entries = tables_.items(history);
    if (entries.empty()) {
      return 0;
    }
    const SnapshotValue frames = tables_.find(entries.front(), Word::frames);
    return frames.is(Kind::sequence) ? static_cast<std::uint32_t>(frames.bits) : 0;
  }

  /// If there is a trace, a block without a stack is from before the recording. Without a trace, its origin
  /// is unknown.
  void adopt_what_lives_at_the_end(const std::vector<SegmentPicture>& pictures) {
    const std::uint32_t without_stack = origin_of(std::uint32_t{0});
    const bool has_trace = log_.size() > 0;
    std::unordered_set<std::uint64_t> allocated_later;
    if (ranged_ != nullptr) {
      for (const auto& [number, row] : ranged_->later()) {
        if (action_of(row) == Word::free_completed && !allocated_later.contains(row.address)) {
          log_.resident_at_end(row.address, row.bytes, stream_of(row), EventLog::kBefore);
        } else if (action_of(row) == Word::alloc) {
          allocated_later.insert(row.address);
        }
      }
    }
    for (const auto& segment : pictures) {
      for (const auto& block : segment.blocks) {
        if (block.state != BlockState::free && !allocated_later.contains(block.address)) {
          log_.resident_at_end(block.address, block.requested, stream_in(segment.stream, block.address),
                               has_trace && block.origin == without_stack ? EventLog::kBefore : block.origin);
        }
      }
    }
  }

  void roll_back(const std::vector<SegmentPicture>& pictures, Recording& recording) {
    if (log_.size() == 0 || !recording.start_unknown.empty()) {
      return;  // a snapshot without a history has only segments
    }
    InitialAllocatorState start(pictures, settings_);
    for (std::size_t i = trace_.size(); i-- > 0;) {
      if (failure_ && i == first_failure_ && start.contradiction().empty()) {
        failure_->segments = with_origins(start.pictures(), *first_failure_, {});
      }
      start.undo(event(trace_[i]));
    }
    if (start.contradiction().empty()) {
      start.check();
    }
    recording.start_unknown = start.contradiction();
    if (!recording.start_unknown.empty()) {
      if (failure_) {
        failure_->segments.clear();
      }
      return;
    }
    std::unordered_map<std::uint64_t, std::uint32_t> allocations;
    for (std::size_t i = 0; i < log_.resident_addresses().size(); ++i) {
      allocations.emplace(log_.resident_addresses()[i], log_.resident_allocation(i));
    }
    recording.start_segments = start.pictures();
    std::size_t found = 0;
    for (auto& segment : recording.start_segments) {
      segment.stream = log_.stream_number(stream_in(segment.stream, segment.address));
      for (auto& block : segment.blocks) {
        const auto allocation = allocations.find(block.address);
        if (block.state != BlockState::free && allocation != allocations.end()) {
          block.allocation = allocation->second;
          ++found;
        }
      }
    }
    const auto in_use = [](const SegmentPicture& segment) {
      return std::count_if(segment.blocks.begin(), segment.blocks.end(),
                           [](const auto& block) { return block.state != BlockState::free; });
    };
    std::ptrdiff_t there = 0;
    for (const auto& segment : recording.start_segments) {
      there += in_use(segment);
    }
    if (found != allocations.size() || there != static_cast<std::ptrdiff_t>(found)) {
      recording.start_segments.clear();
      recording.start_unknown =
          fmt::format("{} blocks lived before, but {} are found in segments", there, found);
    }
  }

  /// Adds origins to the blocks in use before entry `end` of the trace. The origin is the last request in the
  /// trace for the address of the block. `origins`: the origins of other blocks by address. Without one, a
  /// block is from before the recording.
  std::vector<SegmentPicture> with_origins(std::vector<SegmentPicture> pictures, std::size_t end,
                                           std::unordered_map<std::uint64_t, std::uint32_t> origins) {
    for (std::size_t i = 0; i < end; ++i) {
      if (const TraceRow& row = event(trace_[i]); action_of(row) == Word::alloc) {
        origins[row.address] = origin_of(row);
      }
    }
    for (auto& segment : pictures) {
      for (auto& block : segment.blocks) {
        const auto found = origins.find(block.address);
        if (block.state != BlockState::free) {
          block.origin = found == origins.end() ? EventLog::kBefore : found->second;
        }
      }
    }
    return pictures;
  }

  void finish(Recording& recording, const ReleaseBursts& bursts) {
    std::vector<StreamNumber> private_streams;
    for (const auto& [stream, pool] : streams_of_pools_) {
      private_streams.push_back(log_.stream_number(stream));
    }
    Recording logged = log_.finish();
    logged.start_segments = std::move(recording.start_segments);
    logged.start_unknown = std::move(recording.start_unknown);
    recording = std::move(logged);
    if (peak_reserved_ > 0) {
      recording.recorded_reserve = RecordedReserve{peak_reserved_, reserved_, reserved_at_start_};
    }
    // The recording begins with the events of the residents, which the log did not count. The indices
    // therefore move up.
    for (auto& change : changes_) {
      change.event += recording.residents;
    }
    for (auto& mark : times_) {
      mark.event += recording.residents;
    }
    if (failure_) {
      failure_->event += recording.residents;
      recording.failure = std::move(failure_);
    }
    recording.allowance = allowance_;
    recording.private_streams = std::move(private_streams);
    recording.platform = names_.platform();
    recording.on_windows = names_.on_windows();
    recording.reserve_changes = std::move(changes_);
    recording.times = std::move(times_);
    recording.placed_segments = std::move(placed_);
    recording.recorded_retries = bursts.retries();
    recording.recorded_empty_cache = bursts.calls_of_empty_cache();
    if (capacity_) {
      recording.capacity = std::max(*capacity_, peak_reserved_);
    } else if (bursts.most_capacity()) {
      recording.capacity = bursts.most_capacity();
      recording.least_capacity = peak_reserved_;
    }
  }

  struct PrivatePool {
    std::uint64_t bytes = 0;
    std::uint32_t number = 0;
  };

  const SnapshotTables& tables_;
  FrameNames names_;
  Annotations annotations_;
  const std::vector<SnapshotValue>& trace_;
  const RangedTrace* ranged_;  ///< the events outside of the range, or null
  AllocatorSettings settings_;
  EventLog log_;
  std::vector<const SegmentRow*> segments_;
  std::map<std::uint64_t, PrivatePool> private_pools_;  ///< segments of private pools, by address
  std::unordered_map<std::string, std::size_t> pool_numbers_;
  std::unordered_map<const NamedStack*, std::uint32_t> origins_;
  std::vector<ReserveChange> changes_;
  std::vector<TimeMark> times_;
  std::vector<PlacedSegment> placed_;
  std::map<std::uint64_t, std::uint32_t>
      streams_of_pools_;  ///< for each stream of a private pool, the number of the pool. The key is the
                          ///< handle of the stream in log_
  std::uint64_t reserved_ = 0, reserved_at_start_ = 0, peak_reserved_ = 0;
  std::optional<std::uint64_t> capacity_;
  std::optional<std::size_t> first_failure_;  ///< index in the trace
  std::optional<RecordedFailure> failure_;
  std::optional<RecordedAllowance> allowance_;
};

}  // namespace

SnapshotValue trace_of(const SnapshotTables& tables, SnapshotValue root, std::size_t device) {
  const auto& traces = sequence(tables, tables.find(root, Word::device_traces));
  return device < traces.size() ? traces[device] : SnapshotValue{};
}

namespace {

/// The change of the bytes of blocks in use after the range, modulo 2^64. Blocks that were not split are
/// larger than this sum assumes.
std::uint64_t later_change_of_use(const RangedTrace& ranged) {
  std::uint64_t change = 0;
  for (const auto& [number, row] : ranged.later()) {
    const std::uint64_t bytes = round_request(row.bytes, AllocatorSettings{});
    change += action_of(row) == Word::alloc ? bytes : action_of(row) == Word::free_completed ? 0 - bytes : 0;
  }
  return change;
}

}  // namespace

std::vector<RecordedDevice> devices_of(const SnapshotTables& tables, SnapshotValue root) {
  std::map<std::size_t, RecordedDevice> found;
  for (const auto& item : segments_of(tables, root)) {
    const SegmentRow* const segment = tables.segment(item);
    if (segment == nullptr) {
      throw InputError("an item of 'segments' is not a segment");
    }
    RecordedDevice& device = found[static_cast<std::size_t>(segment->device)];
    if (found.size() > kMaxDevices) {
      throw InputError(fmt::format("more than {} devices", kMaxDevices));
    }
    device.reserved_bytes += segment->total_bytes;
    for (const auto& part : tables.items(segment->blocks)) {
      const BlockRow* const block = tables.block(part);
      device.in_use_bytes += block != nullptr && is_in_use(*block) ? block->bytes : 0;
    }
  }
  refuse_overlaps(tables, segments_of(tables, root));
  const auto& traces = sequence(tables, tables.find(root, Word::device_traces));
  for (std::size_t number = 0; number < std::min(traces.size(), kMaxDevices); ++number) {
    const auto& trace = sequence(tables, traces[number]);
    if (trace.empty() && !found.contains(number)) {
      continue;
    }
    RecordedDevice& device = found[number];
    device.events = trace.size();
    if (const RangedTrace* const ranged = tables.outside_range(traces[number])) {
      device.reserved_bytes -= ranged->later_reserve_change();
      device.in_use_bytes -= later_change_of_use(*ranged);
    }
    std::uint64_t reserved = device.reserved_bytes, peak = 0;
    std::for_each(trace.rbegin(), trace.rend(), [&](const SnapshotValue& item) {
      const TraceRow* const row = tables.event(item);
      peak = std::max(peak, is_sane(reserved) ? reserved : 0);
      reserved -= row == nullptr ? 0 : reserve_change(*row);
      device.out_of_memory += row != nullptr && action_of(*row) == Word::oom ? 1U : 0U;
    });
    device.peak_reserved_bytes = std::max(peak, is_sane(reserved) ? reserved : 0);
  }
  std::vector<RecordedDevice> devices;
  for (auto& [number, device] : found) {
    device.device = number;
    device.peak_reserved_bytes = std::max(device.peak_reserved_bytes, device.reserved_bytes);
    devices.push_back(device);
  }
  return devices;
}

Recording recording_of(const SnapshotTables& tables, SnapshotValue root, std::size_t device,
                       const std::string& settings) {
  Recording recording = DeviceSnapshot(tables, root, device, settings).read();
  recording.settings = settings;
  recording.device = device;
  return recording;
}

}  // namespace molgauge::allocator
