#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/file_calls.h"
#include "support/fixtures.h"

namespace headroom::test {

enum class Fault {
  io_error,     ///< one call fails with EIO
  short_write,  ///< one write takes half of the bytes, as it may
  full_disk,    ///< one write takes half, from then on there is no space
  crash,        ///< the process ends before the call: SimulatedCrash, and no later call has an effect
};

/// What a crash leaves of files and names that were not synced.
enum class Loss { nothing, unsynced_data, unsynced_data_and_names };

struct SimulatedCrash {};

/// File calls of which one goes wrong, after the fault injection of LevelDB's tests. While an object lives,
/// the process writes by it. Not thread-safe.
class FaultyFiles : public FileCalls {
 public:
  FaultyFiles() : former_(exchange_file_calls(this)) {}
  ~FaultyFiles() override { exchange_file_calls(former_); }

  /// The call of that number, counted from 0, goes wrong. A short write waits for the next write.
  void arm(Fault fault, std::size_t call) { armed_ = {fault, call}; }
  std::size_t calls() const { return calls_; }
  /// Whether the fault has come about.
  bool struck() const { return struck_; }
  /// Does to the disk what the crash did.
  void lose(Loss loss);

  int create(const std::filesystem::path& path) override;
  int open_to_append(const std::filesystem::path& path, off_t size) override;
  ssize_t write(int descriptor, std::span<const std::byte> bytes, off_t offset) override;
  int close(int descriptor) override;
  int sync_file(const std::filesystem::path& path) override;
  int sync_folder(const std::filesystem::path& path) override;
  int rename(const std::filesystem::path& from, const std::filesystem::path& to) override;
  int remove(const std::filesystem::path& path) override;

 private:
  struct Armed {
    Fault fault;
    std::size_t call;
  };
  /// A name that a crash may take back: the file it stood for before, if any.
  struct Renamed {
    std::filesystem::path from, to;
    std::optional<std::string> replaced;
  };
  bool due(Fault fault) const { return armed_ && armed_->fault == fault && calls_ > armed_->call; }
  bool crashed() const { return struck_ && armed_->fault == Fault::crash; }
  /// Counts a call; false when it shall fail, with errno set.
  bool begin_call();

  FileCalls* former_;
  std::optional<Armed> armed_;
  std::size_t calls_ = 0;
  bool struck_ = false;
  std::map<std::filesystem::path, bool> is_synced_;               ///< files written here
  std::map<std::filesystem::path, std::uintmax_t> synced_bytes_;  ///< at their beginning; 0 if absent
  std::vector<std::filesystem::path> created_;                    ///< since their folder was synced
  std::vector<Renamed> renamed_;                                  ///< likewise
};

/// A thing that writes files, and how to tell that they are whole.
struct Writing {
  /// Puts the former files there, without faults.
  std::function<void(const std::filesystem::path& folder)> prepare;
  std::function<void(const std::filesystem::path& folder)> write;
  /// What a reader of the folder sees; throws where a file is broken.
  std::function<std::string(const std::filesystem::path& folder)> read;
};

/// Has every call of the writing go wrong in every way, one at a time, and expects each time: what is read is
/// in `allowed` (the state before and after among them, if empty only those two); an error is an Error that
/// names the folder and the reason; no temporary file stays after an error; and writing again, without a
/// fault, gives the state after.
void expect_survives_every_fault(const Writing& writing, const std::vector<std::string>& allowed = {});

}  // namespace headroom::test
