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

#include "data/store/lmdb/access.h"

namespace headroom::store {

/// Bytes of the process that LMDB takes while an environment is open for writing: its lists of changed and of
/// free pages. Measured with LMDB 0.9.24.
inline constexpr std::uint64_t kEnvironmentBytes = 3'300'000;

/// An LMDB environment: a folder with data.mdb and lock.mdb, and the transactions on it.
///
/// The data file is mapped for reading alone and written with pwrite, so a full disk is an error code and
/// never a SIGBUS. The map is address space, not memory or disk: it starts at 64 MiB (so that the store works
/// under `ulimit -v`) and doubles, by at most 16 GiB at a time, when a transaction does not fit or another
/// process has grown the file. LMDB may move the map only while the process has no transaction: every
/// transaction holds map_mutex_ shared, growing holds it alone.
///
/// Pages of the file that are read become part of the process's resident memory until the kernel reclaims
/// them. They are handed back after every few hundred rows (they stay in the kernel's cache), so that a large
/// store takes no more of a memory budget than a small one.
///
/// A damaged file is an InputError and never a signal: before LMDB follows the trees of the file they are
/// looked at (data/store/lmdb/page_check.h), unless the last writer ended in an orderly way
/// (data/store/lmdb/clean_end.h).
///
/// Thread safety: every method may be called from any thread, but read() and write() must not be nested in
/// one thread. Several processes may use one folder, on a local file system; an environment does not survive
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
  /// Runs `body` in a transaction that is on disk when this returns and leaves no trace when anything throws.
  /// `body` may run several times: the map grows in between when it was too small.
  void write(const Body& body);

  /// Handle of a named database; none if it does not exist.
  std::optional<MDB_dbi> find_database(const std::string& name);
  /// As find_database(), but makes a missing database. `fill` runs in the transaction that makes it, so that
  /// no reader sees it without its first content; it also runs when the database exists already.
  using Fill = std::function<void(MDB_txn* transaction, MDB_dbi database)>;
  MDB_dbi make_database(const std::string& name, const Fill& fill);

  /// Counts neighbourhoods of the map (footprint.h) that are read anew; call it within a transaction. After a
  /// number of them, the map leaves the process's memory; needed pages are read again.
  void count_neighbourhoods(std::size_t count);

  /// To be called within a write transaction, with a stored value that is about to be overwritten or deleted.
  /// The header of its overflow pages says nothing that the tree does not say too, but LMDB acts on it: one
  /// that is damaged is written anew.
  void mend_overflow_header(const MDB_val& value) const;

  /// Checks the trees of the file in any case. Throws InputError naming the damaged page.
  void check_trees();

  /// Throws the error of `code` unless it is MDB_SUCCESS; `attempt` is "read" or the like.
  void check(const char* attempt, int code) const;

  const std::filesystem::path& folder() const { return folder_; }
  Access access() const { return access_; }
  /// Bytes of the file that hold data, free pages in between included, and bytes the file takes on disk.
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
  std::byte* map_ = nullptr;  ///< where the file is in memory, if known; moves when the map grows
  std::atomic<std::size_t> neighbourhoods_ = 0;  ///< counted so far
  bool was_clean_ = false;                       ///< the trees were known to be whole when this was opened
  std::uint64_t first_transaction_ = 0;          ///< the last one of the file as it was opened
  std::shared_mutex map_mutex_;
  std::mutex database_mutex_;  ///< LMDB opens named databases in one transaction at a time
};

/// The process's one environment on this folder, opened unless it is open already. Throws Error when
/// it is wanted for writing and held for reading.
std::shared_ptr<Environment> share_environment(const std::filesystem::path& folder, Access access);

}  // namespace headroom::store
