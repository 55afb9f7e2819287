#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "failing_programs.h"
#include "memgauge/recordings/recording.h"
#include "memgauge/simulator/caching_allocator.h"
#include "pickle_text.h"

namespace molgauge::allocator::test {

/// A synthetic program on the simulated card. It can write the snapshot that PyTorch would dump.
class RecordedProgram {
 public:
  static constexpr std::size_t kFailed = ~std::size_t{0};

  explicit RecordedProgram(const std::string& settings = "",
                           std::uint64_t capacity = DeviceMemory::kUnlimited);

  /// Returns the number of the allocation, or kFailed after an out-of-memory event.
  std::size_t alloc(std::uint64_t bytes, const Stack& stack = {}, StreamNumber stream = 0);
  void free(std::size_t id);
  void free(const std::vector<std::size_t>& ids);
  void empty_cache();
  /// Declares that a stream belongs to a private pool.
  void declare_private(StreamNumber stream);
  /// Starts the recording. Earlier events are not in the snapshot, as if the ring buffer had dropped them.
  void begin_recording() { trace_.clear(); }
  /// Adds an event to the recording, but does not change the simulated allocator.
  void event(std::string_view action, std::uint64_t address = 0, std::uint64_t bytes = 0,
             StreamNumber stream = 0, const Stack& stack = {});
  /// Begins or ends a phase, which becomes an annotation of the snapshot.
  void annotate(const std::string& name, bool begins);
  /// Sets user_metadata of the following allocations.
  void note(const std::string& metadata) { metadata_ = metadata; }

  /// Sets the free bytes that the driver reports in an out-of-memory event. They replace the simulated free
  /// bytes.
  std::optional<std::uint64_t> device_free;
  /// The text of the settings in the snapshot. It replaces the settings of the program.
  std::optional<std::string> settings_text;
  /// Further entries of allocator_settings and of the snapshot, as pickle opcodes.
  std::string more_settings, more;

  const CachingAllocator& allocator() const { return allocator_; }
  std::string pickle() const;
  Recording recording() const;

 private:
  struct Live {
    Block* block;
    std::uint64_t bytes;
    StreamNumber stream;
    Stack stack;
  };
  void note_segments();
  static void frames(PickleText& text, const Stack& stack);
  std::string segments() const;

  std::string settings_;
  CachingAllocator allocator_;
  std::string trace_, annotations_, metadata_;
  std::vector<Live> live_;
  std::map<std::uint64_t, std::size_t> by_address_;
  std::map<std::uint64_t, std::uint64_t> sizes_;
  std::set<StreamNumber> private_;
  std::uint64_t time_ = 1'700'000'000'000'000;
};

/// Reads a snapshot in memory.
Recording read_pickle(const std::string& pickle);

}  // namespace molgauge::allocator::test
