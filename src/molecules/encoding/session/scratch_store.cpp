#include "molecules/encoding/session/scratch_store.h"

#include <cerrno>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/home.h"
#include "base/core/hash.h"
#include "base/core/session/log.h"
#include "base/core/text/hexadecimal.h"
#include "molecules/store/blobs/blob_store.h"
#include "molecules/store/features/feature_store.h"

namespace molgauge::session {
namespace {

/// Returns the folder of this user in the temporary folder. All users may write to the temporary folder.
/// Throws if the folder belongs to another user.
std::filesystem::path users_folder() {
  const std::filesystem::path folder = temporary_folder() / ("molgauge-" + std::to_string(geteuid()));
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw system_error(folder.string(), "make", errno);
  }
  struct stat found = {};
  if (lstat(folder.c_str(), &found) != 0) {
    throw system_error(folder.string(), "read", errno);
  }
  if (!S_ISDIR(found.st_mode) || found.st_uid != geteuid()) {
    throw Error(folder.string() +
                ": is not a folder of this user. Name a store with --store, or another place with TMPDIR");
  }
  return folder;
}

}  // namespace

ScratchStore::ScratchStore(const std::filesystem::path& output)
    : folder_(users_folder() /
              to_hexadecimal(
                  hash128(std::filesystem::weakly_canonical(std::filesystem::absolute(output)).string()))) {
  make_folder(folder_);
}

void ScratchStore::empty() const {
  const auto features = store::FeatureStore::open(folder_, store::Access::write);
  for (const store::TableReport& table : features.report().tables) {
    features.prune(table.name);
  }
  const auto blobs = store::BlobStore::open(folder_, store::Access::write);
  for (const store::BlobTableReport& table : blobs.report()) {
    blobs.prune(table.name);
  }
}

void ScratchStore::remove() const {
  std::error_code failure;
  std::filesystem::remove_all(folder_, failure);
  if (failure) {
    log_warning("{}: could not be removed: {}", folder_.string(), failure.message());
  }
}

}  // namespace molgauge::session
