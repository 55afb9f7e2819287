#include "molecules/store/lmdb/lmdb_error.h"

#include <cerrno>

#include <fmt/format.h>
#include <lmdb.h>
#include <unistd.h>

#include "base/core/error.h"

namespace molgauge::store {
namespace {

constexpr const char* kStartAgain =
    ". Move the folder away (the features can be computed again) or restore a copy of it";

}  // namespace

void throw_damage(const std::filesystem::path& folder, const std::string& finding) {
  throw InputError(folder.string() + ": the feature store is damaged: data.mdb: " + finding + kStartAgain);
}

void throw_lmdb_error(const std::filesystem::path& folder, const std::string& attempt, int code) {
  const std::string where = folder.string() + ": cannot " + attempt + " the feature store: ";
  switch (code) {
    case MDB_MAP_FULL:
      throw MapFull{};
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
      throw InputError(where + "data.mdb is not an LMDB file that this build reads (" + mdb_strerror(code) +
                       "). Name another folder or move data.mdb and lock.mdb away");
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INCOMPATIBLE:
    case MDB_BAD_VALSIZE:
      throw InputError(where + "data.mdb is damaged (" + mdb_strerror(code) + ")" + kStartAgain);
    case MDB_PANIC:
      throw Error(where + "an earlier write failed half-way (" + mdb_strerror(code) +
                  "). Run the same command again. Finished work is kept");
    case MDB_READERS_FULL:
      throw Error(where + "too many processes read it at once. Wait for some of them to end");
    case MDB_DBS_FULL:
      throw Error(where + "it holds the features of too many encoders. Use another folder");
    case ENOMEM:
      throw Error(where + "not enough address space for its memory map. Raise the limit (ulimit -v)");
    // LMDB registers a process with a lock on one byte of lock.mdb. The offset of the byte is the process ID.
    case EAGAIN:
      throw Error(
          fmt::format("{}a process in another container has the same process ID, {}, and LMDB cannot "
                      "distinguish the two. Start one of the containers with other process IDs (docker run "
                      "--init or --pid=host), or give each its own store",
                      where, getpid()));
    // LMDB reports a short write as EIO. A full disk causes short writes.
    case EIO:
    case EFBIG:
      throw Error(where +
                  "the disk or the largest file allowed (ulimit -f) is full, or the disk fails. Free some "
                  "space and run the same command again. Finished work is kept");
    default:
      if (code > 0) {
        throw system_error(folder.string(), attempt + " the feature store", code);
      }
      throw Error(where + mdb_strerror(code));
  }
}

}  // namespace molgauge::store
