#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "allocator/recording.h"

namespace headroom::allocator {

/// Makes a Recording from allocations and frees by address, as recorders write them: numbers allocations and
/// streams, and finds what already lived when the recording began (it is freed, or still there at the end,
/// but was never allocated). Throws InputError with the reason alone where events contradict each other.
class EventLog {
 public:
  /// The origin of what lived before.
  static constexpr std::uint32_t kBefore = 0;

  EventLog();

  /// The number of an origin or phase.
  std::uint32_t origin(std::string_view text);

  void allocate(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream, std::uint32_t origin);
  void free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void request_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void complete_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void out_of_memory(std::uint64_t bytes, std::uint64_t stream, std::uint32_t origin);
  void begin_phase(std::string_view name);
  void end_phase();
  /// Something that lives at the end. Nothing happens if it was allocated within the recording.
  void resident_at_end(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream,
                       std::uint32_t origin);

  /// Is there an event already?
  std::size_t size() const { return events_.size(); }

  /// Events and origins of the recording; the log is empty afterwards.
  Recording finish();

 private:
  struct Living {
    std::uint32_t allocation;
    bool is_requested;  ///< to be freed
  };
  using LivingTable = std::unordered_map<std::uint64_t, Living>;

  std::uint32_t next_allocation();
  StreamNumber stream_number(std::uint64_t handle);
  LivingTable::iterator find_or_adopt(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream,
                                      std::uint32_t origin);
  void add(EventKind kind, std::uint64_t bytes, std::uint32_t allocation, std::uint64_t stream,
           std::uint32_t origin);

  std::vector<MemoryEvent> residents_, events_;
  std::vector<std::string> origins_;
  std::unordered_map<std::string, std::uint32_t> origin_numbers_;
  std::unordered_map<std::uint64_t, StreamNumber> stream_numbers_;
  LivingTable living_;
  std::uint64_t allocations_ = 0;
};

}  // namespace headroom::allocator
