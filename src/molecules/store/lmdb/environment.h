#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

#include <lmdb.h>

#include "molecules/store/lmdb/access.h"

namespace molgauge::store {

/// Bytes of memory that LMDB uses while an environment is open for writing, for its lists of changed and free
/// pages. Measured with LMDB 0.9.24.
inline constexpr std::uint64_t kEnvironmentBytes = 3'300'000;

/// An LMDB environment: a folder with data.mdb and lock.mdb, and the transactions on it.
///
/// The data file is mapped only for reading. LMDB writes it with pwrite, so a full disk causes an error code
/// and no SIGBUS. The map uses address space, not memory or disk. It starts at 64 MiB, because the store must
/// work under `ulimit -v`. If a transaction does not fit, or if another process has enlarged the file, the
/// map doubles, but grows by at most 16 GiB at a time. LMDB may move the map only while the process has no
/// transaction. A transaction therefore holds map_mutex_ in shared mode, and code that enlarges the map holds
/// it exclusively.
///
/// Pages that are read become part of the resident memory of the process. These pages are released after
/// every few hundred rows and stay in the page cache of the kernel. A large store therefore uses no more of a
/// memory budget than a small one.
///
/// A damaged file causes an InputError and no signal. The trees of the file are checked before LMDB uses them
/// (molecules/store/lmdb/page_check.h), unless the last writer ended cleanly
/// (molecules/store/lmdb/clean_end.h).
///
/// Thread safety: every method may be called from any thread, but read() and write() must not be nested in
/// one thread. Several processes may use one folder on a local file system. An environment does not survive
/// fork(). LMDB does not allow a process to open a folder twice: use share_environment().
class Environment {
 public:
  Environment(std::filesystem::path folder, Access access);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  using Body = std::function<void(MDB_txn* transaction)>;

  /// Runs `body` on a consistent view of the store.
  void read(const Body& body);
  /// Runs `body` in a transaction. The transaction is on disk when this returns, and is rolled back if
  /// anything throws. `body` may run several times, because the map grows if it was too small.
  void write(const Body& body);

  /// Returns the handle of a named database, or nothing if it does not exist.
  std::optional<MDB_dbi> find_database(const std::string& name);
  /// Returns the handle of a named database, and creates the database if it does not exist. `fill` writes its
  /// first content in the same transaction, so readers always see this content. `fill` also runs if the
  /// database already exists.
  using Fill = std::function<void(MDB_txn* transaction, MDB_dbi database)>;
  MDB_dbi make_database(const std::string& name, const Fill& fill);

  /// Adds `count` to the number of neighbourhoods of the map (footprint.h) that were read. Call it within a
  /// transaction. Whenever the number passes a multiple of a limit, the pages of the map are released. The
  /// kernel reads released pages again when they are needed.
  void count_neighbourhoods(std::size_t count);

  /// Repairs a damaged header of overflow pages. The header repeats information of the tree, but LMDB relies
  /// on the header. Call it within a write transaction before a stored value is overwritten or deleted.
  void mend_overflow_header(const MDB_val& value) const;

  /// Checks the trees of the file, even if the last writer ended cleanly. Throws InputError naming the
  /// damaged page.
  void check_trees();

  /// Throws the error of `code` unless it is MDB_SUCCESS. `attempt` is a verb such as "read".
  void check(const char* attempt, int code) const;

  const std::filesystem::path& folder() const { return folder_; }
  Access access() const { return access_; }
  /// bytes_used() returns the bytes of the file that hold data, including free pages in between.
  /// bytes_on_disk() returns the bytes that the file takes on disk.
  std::uint64_t bytes_used();
  std::uint64_t bytes_on_disk() const;

 private:
  struct Abort {
    void operator()(MDB_txn* transaction) const { mdb_txn_abort(transaction); }
  };
  using Transaction = std::unique_ptr<MDB_txn, Abort>;
  using MapLock = std::shared_lock<std::shared_mutex>;

  Transaction begin(unsigned flags, MapLock& map_lock);
  void run(unsigned flags, const Body& body);
  std::uint64_t bytes_in_map() const;
  void grow_map(std::size_t size_found_too_small);
  void clear_dead_readers();
  void complete_file();
  std::uint64_t last_transaction() const;

  const std::filesystem::path folder_;
  const Access access_;
  MDB_env* environment_ = nullptr;
  std::atomic<std::size_t> map_size_ = 0;
  std::byte* map_ = nullptr;  ///< address of the mapped file, if known. It changes when the map grows
  std::atomic<std::size_t> neighbourhoods_ = 0;  ///< number of neighbourhoods that were counted so far
  bool was_clean_ = false;                       ///< the trees were known to be intact when the environment
                                                 ///< was opened
  std::uint64_t first_transaction_ = 0;          ///< the last transaction of the file when it was opened
  std::shared_mutex map_mutex_;
  std::mutex database_mutex_;  ///< LMDB allows only one transaction at a time to open named databases
};

/// Returns the only environment of the process for this folder. Opens it if necessary. Throws Error if
/// `access` is write and the environment is open for reading.
std::shared_ptr<Environment> share_environment(const std::filesystem::path& folder, Access access);

}  // namespace molgauge::store
