#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "memgauge/recordings/recording.h"

namespace molgauge::allocator {

/// Makes a Recording from allocations and frees by address. Numbers the allocations and streams. Finds memory
/// that was live when the recording began. Such memory is freed or is live at the end, but the log contains
/// no allocation of it. If events contradict each other, throws InputError with only the reason.
class EventLog {
 public:
  /// The origin of memory that was live before the recording.
  static constexpr std::uint32_t kBefore = 0;

  EventLog();

  /// Returns the number of an origin or phase. A new text gets a new number.
  std::uint32_t origin(std::string_view text);
  /// The number of a recorded stack. Stacks with the same name but different frames have different numbers.
  std::uint32_t origin(std::string_view text, const StackSummary& stack);

  void allocate(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream, std::uint32_t origin);
  void free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void request_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void complete_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void out_of_memory(std::uint64_t bytes, std::uint64_t stream, std::uint32_t origin);
  void empty_cache();
  void begin_phase(std::string_view name);
  void end_phase();
  /// Adds an allocation that is live at the end. Has no effect if the log already contains its request.
  void resident_at_end(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream,
                       std::uint32_t origin);

  /// Sets the origins of memory from before the recording, by address. Without one, the origin is kBefore.
  void know_residents(std::unordered_map<std::uint64_t, std::uint32_t> origins) {
    known_origins_ = std::move(origins);
  }

  /// Number of events so far. Residents, which are the allocations from before the recording, do not count.
  std::size_t size() const { return events_.size(); }
  /// Addresses of the residents, in order.
  const std::vector<std::uint64_t>& resident_addresses() const { return resident_addresses_; }
  std::uint32_t resident_allocation(std::size_t resident) const { return residents_[resident].allocation; }
  /// Returns the number that represents a stream in the recording.
  StreamNumber stream_number(std::uint64_t handle);

  /// Returns the events and origins as a recording, and empties the log.
  Recording finish();

 private:
  struct Living {
    std::uint32_t allocation;
    bool is_requested;  ///< a free was requested
  };
  using LivingTable = std::unordered_map<std::uint64_t, Living>;

  std::uint32_t next_allocation();
  std::uint32_t origin_under(std::string key, std::string_view text, const StackSummary* stack);
  LivingTable::iterator find_or_adopt(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream,
                                      std::uint32_t origin);
  void add(EventKind kind, std::uint64_t bytes, std::uint32_t allocation, std::uint64_t stream,
           std::uint32_t origin);

  std::vector<MemoryEvent> residents_, events_;
  std::vector<std::uint64_t> resident_addresses_;
  std::vector<std::string> origins_;
  std::vector<StackSummary> stacks_;
  std::unordered_map<std::string, std::uint32_t> origin_numbers_;
  std::unordered_map<std::uint64_t, StreamNumber> stream_numbers_;
  LivingTable living_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_origins_;
  std::uint64_t allocations_ = 0;
};

}  // namespace molgauge::allocator
