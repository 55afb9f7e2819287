#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/core/files/file_calls.h"
#include "support/fixtures.h"

namespace molgauge::test {

enum class Fault {
  io_error,     ///< one call fails with EIO
  short_write,  ///< one write takes only half of the bytes, as POSIX allows
  full_disk,    ///< one write takes only half of the bytes, and from then on there is no space
  crash,        ///< the process ends before the call: throws SimulatedCrash, and later calls have no effect
};

/// The unsynced data and names that a crash loses.
enum class Loss { nothing, unsynced_data, unsynced_data_and_names };

struct SimulatedCrash {};

/// Injects one fault into the file calls of the process while the object exists. The idea is from the tests
/// of LevelDB. Not thread-safe.
class FaultyFiles : public FileCalls {
 public:
  FaultyFiles() : former_(exchange_file_calls(this)) {}
  ~FaultyFiles() override { exchange_file_calls(former_); }

  /// Makes the call with this number fail, counted from 0. A short write happens at the next write.
  void arm(Fault fault, std::size_t call) { armed_ = {fault, call}; }
  std::size_t calls() const { return calls_; }
  /// Whether the fault has occurred.
  bool struck() const { return struck_; }
  /// Applies the effects of the crash to the disk.
  void lose(Loss loss);

  int create(const std::filesystem::path& path) override;
  int open_to_append(const std::filesystem::path& path, off_t size) override;
  ssize_t write(int descriptor, std::span<const std::byte> bytes, off_t offset) override;
  int close(int descriptor) override;
  int sync_file(const std::filesystem::path& path) override;
  int sync_folder(const std::filesystem::path& path) override;
  int rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  int exchange(const std::filesystem::path& one, const std::filesystem::path& other) override;
  int remove(const std::filesystem::path& path) override;

 private:
  struct Armed {
    Fault fault;
    std::size_t call;
  };
  /// A rename that a crash may undo, and the previous content of the file if there was one.
  struct Renamed {
    std::filesystem::path from, to;
    std::optional<std::string> replaced;
  };
  bool due(Fault fault) const { return armed_ && armed_->fault == fault && calls_ > armed_->call; }
  bool crashed() const { return struck_ && armed_->fault == Fault::crash; }
  /// Counts a call. Returns false with errno set if it must fail.
  bool begin_call();

  FileCalls* former_;
  std::optional<Armed> armed_;
  std::size_t calls_ = 0;
  bool struck_ = false;
  std::map<std::filesystem::path, bool> is_synced_;               ///< whether each written file is synced
  std::map<std::filesystem::path, std::uintmax_t> synced_bytes_;  ///< synced bytes at the beginning of each
                                                                  ///< file; 0 if the file did not exist
  std::vector<std::filesystem::path> created_;                    ///< files created since their folder was
                                                                  ///< synced
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> exchanged_;  ///< exchanged since their
                                                                                    ///< folder was synced
  std::vector<Renamed> renamed_;  ///< files renamed since their folder was
                                  ///< synced
};

/// An operation that writes files, and a check that the files are valid.
struct Writing {
  /// Writes the state before the operation, without faults.
  std::function<void(const std::filesystem::path& folder)> prepare;
  std::function<void(const std::filesystem::path& folder)> write;
  /// The content that a reader of the folder sees. Throws if a file is invalid.
  std::function<std::string(const std::filesystem::path& folder)> read;
};

/// Injects every fault into every call of the operation, one at a time. Checks that the content is one of
/// `allowed`, which includes the states before and after. An error must be an Error that names the folder and
/// the reason. No temporary file may remain after an error. Repeating the operation without a fault must give
/// the state after.
void expect_survives_every_fault(const Writing& writing, const std::vector<std::string>& allowed = {});

}  // namespace molgauge::test
