#include "molecules/store/lmdb/environment.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/regular_file.h"
#include "base/core/session/log.h"
#include "molecules/store/lmdb/clean_end.h"
#include "molecules/store/lmdb/lmdb_error.h"
#include "molecules/store/lmdb/lmdb_pages.h"
#include "molecules/store/lmdb/map_address.h"
#include "molecules/store/lmdb/page_check.h"

namespace molgauge::store {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kFirstMap = 64 * kMiB;
constexpr std::size_t kSmallestGrowth = 16 * kMiB;
constexpr std::size_t kLargestGrowth = 16384 * kMiB;
constexpr std::uintmax_t kSpaceToOpen = kMiB;
/// A neighbourhood has 64 KiB. After reads from 128 neighbourhoods (8 MiB), the pages of the map are returned
/// to the kernel.
constexpr std::size_t kNeighbourhoodsBetweenReturns = 128;
constexpr unsigned kMaxDatabases = 256;
constexpr unsigned kMaxReaders = 1024;
constexpr int kReaderSlotAttempts = 200;
constexpr std::chrono::milliseconds kReaderSlotWait(50);

/// Throws if the disk is full. LMDB maps the lock file writable, so on a full disk its first access to the
/// map would raise SIGBUS.
void require_space(const std::filesystem::path& folder) {
  std::error_code unknown;
  const auto space = std::filesystem::space(folder, unknown);
  if (!unknown && space.available < kSpaceToOpen) {
    throw system_error(folder.string(), "open the feature store", ENOSPC);
  }
}

/// A new file survives a power cut only if its folder is synced as well.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
}

bool address_space_left(std::size_t bytes) {
  void* const probe =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, /*offset=*/0);
  if (probe == MAP_FAILED) {
    return false;
  }
  munmap(probe, bytes);
  return true;
}

struct stat status_of(MDB_env* environment) {
  int descriptor = -1;
  mdb_env_get_fd(environment, &descriptor);
  struct stat status {};
  fstat(descriptor, &status);
  return status;
}

}  // namespace

Environment::Environment(std::filesystem::path folder, Access access)
    : folder_(std::move(folder)), access_(access) {
  for (const char* const file : {"data.mdb", "lock.mdb", "checked"}) {
    require_regular_file(folder_ / file);
  }
  std::error_code unreadable;  // ignored here, because LMDB reports it if the folder cannot be read
  const bool is_new = !std::filesystem::exists(folder_ / "data.mdb", unreadable) && !unreadable;
  if (access_ == Access::write) {
    require_space(folder_);
  } else if (is_new) {
    throw InputError(folder_.string() +
                     ": there is no feature store (data.mdb). Make one with `molgauge encode`");
  }
  check_meta_pages(folder_);
  check("open", mdb_env_create(&environment_));
  try {
    check("open", mdb_env_set_maxdbs(environment_, kMaxDatabases));
    check("open", mdb_env_set_maxreaders(environment_, kMaxReaders));
    check("open", mdb_env_set_mapsize(environment_, kFirstMap));
    // Reader slots belong to transactions, not to threads, because worker threads start and end.
    const unsigned flags = MDB_NOTLS | (access_ == Access::read ? MDB_RDONLY : 0U);
    check("open", mdb_env_open(environment_, folder_.c_str(), flags, 0644));
    MDB_envinfo info;
    check("open", mdb_env_info(environment_, &info));
    map_size_ = info.me_mapsize;
    map_ = find_map(folder_ / "data.mdb");
    clear_dead_readers();
    first_transaction_ = last_transaction();
    was_clean_ = ended_cleanly(folder_, first_transaction_);
    if (!was_clean_) {
      check_trees();  // checked first, because a refused store must stay unchanged
    }
    complete_file();
    if (is_new) {
      sync_folder(folder_);
    }
  } catch (...) {
    mdb_env_close(environment_);
    throw;
  }
}

Environment::~Environment() {
  const std::uint64_t transaction = last_transaction();
  mdb_env_close(environment_);
  if (access_ == Access::write && !(was_clean_ && transaction == first_transaction_)) {
    note_clean_end(folder_, transaction);
  }
}

std::uint64_t Environment::last_transaction() const {
  MDB_envinfo info;
  mdb_env_info(environment_, &info);
  return info.me_last_txnid;
}

void Environment::check(const char* attempt, int code) const { check_lmdb(folder_, attempt, code); }

void Environment::read(const Body& body) { run(MDB_RDONLY, body); }

void Environment::write(const Body& body) {
  for (;;) {
    const std::size_t size = map_size_;
    try {
      run(0, body);
      return;
    } catch (const MapFull&) {
      clear_dead_readers();
      grow_map(size);
    }
  }
}

void Environment::run(unsigned flags, const Body& body) {
  MapLock map_lock(map_mutex_, std::defer_lock);
  // The transaction is declared after the lock. It therefore ends before the lock is released, after which
  // the map may move.
  Transaction transaction = begin(flags, map_lock);
  body(transaction.get());
  check(flags == MDB_RDONLY ? "read" : "write to", mdb_txn_commit(transaction.release()));
}

Environment::Transaction Environment::begin(unsigned flags, MapLock& map_lock) {
  for (int attempt = 1;; ++attempt) {
    const std::size_t size = map_size_;
    map_lock.lock();
    MDB_txn* transaction = nullptr;
    const int code = mdb_txn_begin(environment_, nullptr, flags, &transaction);
    if (code == MDB_SUCCESS) {
      return Transaction(transaction);
    }
    map_lock.unlock();
    if (code == MDB_MAP_RESIZED) {
      grow_map(size);
    } else if (code == MDB_READERS_FULL && attempt < kReaderSlotAttempts) {
      clear_dead_readers();
      std::this_thread::sleep_for(kReaderSlotWait);
    } else {
      check(flags == MDB_RDONLY ? "read" : "write to", code);
    }
  }
}

/// Call it within a transaction, because the map cannot move then.
void Environment::count_neighbourhoods(std::size_t count) {
  if (map_ == nullptr) {
    return;
  }
  const std::size_t before = neighbourhoods_.fetch_add(count);
  if (before / kNeighbourhoodsBetweenReturns != (before + count) / kNeighbourhoodsBetweenReturns) {
    // The map is read-only, so the kernel reads the pages again when they are needed. If the kernel refuses,
    // the pages stay in memory.
    madvise(map_, map_size_, MADV_DONTNEED);
  }
}

std::optional<MDB_dbi> Environment::find_database(const std::string& name) {
  const std::lock_guard lock(database_mutex_);
  std::optional<MDB_dbi> found;
  read([&](MDB_txn* transaction) {
    MDB_dbi handle = 0;
    const int code = mdb_dbi_open(transaction, name.c_str(), 0, &handle);
    if (code != MDB_NOTFOUND) {
      check("read", code);
      found = handle;
    }
  });
  return found;
}

MDB_dbi Environment::make_database(const std::string& name, const Fill& fill) {
  const std::lock_guard lock(database_mutex_);
  MDB_dbi handle = 0;
  write([&](MDB_txn* transaction) {
    check("write to", mdb_dbi_open(transaction, name.c_str(), MDB_CREATE, &handle));
    fill(transaction, handle);
  });
  return handle;
}

void Environment::grow_map(std::size_t size_found_too_small) {
  const std::unique_lock lock(map_mutex_);
  const std::size_t size = map_size_;
  if (size > size_found_too_small) {
    return;  // another thread has enlarged the map
  }
  const std::size_t needed = std::max<std::size_t>(size, bytes_in_map());
  std::size_t growth = std::clamp(needed, kSmallestGrowth, kLargestGrowth);
  // LMDB releases the old map before it requests the new map, and cannot undo this. The address space is
  // therefore checked in advance.
  while (!address_space_left(needed - size + growth)) {
    growth /= 2;
    if (growth < kSmallestGrowth) {
      check("grow", ENOMEM);
    }
  }
  check("grow", mdb_env_set_mapsize(environment_, needed + growth));
  map_ = find_map(folder_ / "data.mdb");
  map_size_ = needed + growth;
}

void Environment::clear_dead_readers() {
  int cleared = 0;
  check("open", mdb_reader_check(environment_, &cleared));
}

/// Extends the file with zeros to its full length. LMDB may leave free pages at the end of the file
/// unwritten. Such pages cannot be distinguished from pages that were lost because the file was truncated.
/// Reading either kind would raise SIGBUS. Neither LMDB nor the checksum of a row accepts zeros.
void Environment::complete_file() {
  const auto is_short = [&] {
    return static_cast<std::uint64_t>(status_of(environment_).st_size) < bytes_in_map();
  };
  if (!is_short()) {
    return;
  }
  if (access_ == Access::read) {
    throw InputError(folder_.string() +
                     ": data.mdb is truncated and rows are lost. The next `molgauge encode` with this store "
                     "repairs the file and computes missing rows again");
  }
  log_warning("{}: data.mdb is truncated. Lost rows will be computed again", folder_.string());
  int descriptor = -1;
  check("open", mdb_env_get_fd(environment_, &descriptor));
  // The write transaction keeps other processes from writing to the end of the file.
  run(0, [&](MDB_txn*) {
    if (is_short() && ftruncate(descriptor, static_cast<off_t>(bytes_in_map())) != 0) {
      throw system_error(folder_.string(), "extend the feature store", errno);
    }
  });
}

void Environment::check_trees() {
  for (bool checked = false; !checked;) {
    run(MDB_RDONLY, [&](MDB_txn* transaction) { checked = check_pages(folder_, mdb_txn_id(transaction)); });
  }
}

void Environment::mend_overflow_header(const MDB_val& value) const {
  MDB_stat statistics;
  check("read", mdb_env_stat(environment_, &statistics));
  const auto* const header = static_cast<const std::byte*>(value.mv_data) - sizeof(pages::Header);
  const auto offset = reinterpret_cast<std::uintptr_t>(header) - reinterpret_cast<std::uintptr_t>(map_);
  // Repairs only values on overflow pages, because only they start directly after a page header. A value from
  // the current transaction is not in the map and is not repaired.
  if (map_ == nullptr || offset >= map_size_ || offset % statistics.ms_psize != 0) {
    return;
  }
  const auto right = pages::overflow_header(offset / statistics.ms_psize, value.mv_size, statistics.ms_psize);
  if (std::memcmp(header, &right, sizeof(right)) == 0) {
    return;
  }
  int descriptor = -1;
  check("write to", mdb_env_get_fd(environment_, &descriptor));
  if (pwrite(descriptor, &right, sizeof(right), static_cast<off_t>(offset)) != sizeof(right)) {
    throw system_error(folder_.string(), "mend the feature store", errno);
  }
}

std::uint64_t Environment::bytes_used() {
  const MapLock lock(map_mutex_);
  return bytes_in_map();
}

/// Call it only while the map cannot move.
std::uint64_t Environment::bytes_in_map() const {
  MDB_envinfo info;
  mdb_env_info(environment_, &info);
  MDB_stat statistics;
  mdb_env_stat(environment_, &statistics);
  return static_cast<std::uint64_t>(info.me_last_pgno + 1) * statistics.ms_psize;
}

std::uint64_t Environment::bytes_on_disk() const {
  constexpr std::uint64_t kStatusBlock = 512;
  return static_cast<std::uint64_t>(status_of(environment_).st_blocks) * kStatusBlock;
}

}  // namespace molgauge::store
