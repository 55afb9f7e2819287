#include <cerrno>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "molecules/store/lmdb/environment.h"

namespace molgauge::store {
namespace {

/// Identifies a folder independently of its path.
using FolderIdentity = std::pair<dev_t, ino_t>;

struct OpenEnvironments {
  std::mutex mutex;
  std::condition_variable closed;
  std::map<FolderIdentity, std::weak_ptr<Environment>> by_folder;
};

/// Never destroyed, because a static object in another file may hold a store, and may close it after the
/// static objects of this file are destroyed.
OpenEnvironments& open_environments() {
  static auto* const environments = new OpenEnvironments;
  return *environments;
}

FolderIdentity identify(const std::filesystem::path& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) {
    throw InputError(system_error(folder.string(), "open the feature store", errno).what());
  }
  return {status.st_dev, status.st_ino};
}

/// An environment that other callers can find. Its destructor takes the lock.
class FoundByOthers {
 public:
  FoundByOthers() = default;
  ~FoundByOthers() {
    if (environment_ != nullptr) {
      auto& environments = open_environments();
      const std::lock_guard lock(environments.mutex);
      environment_.reset();
      environments.by_folder.erase(identity_);
      environments.closed.notify_all();
    }
  }
  FoundByOthers(const FoundByOthers&) = delete;
  FoundByOthers& operator=(const FoundByOthers&) = delete;

  Environment* hold(const FolderIdentity& identity, std::unique_ptr<Environment> environment) noexcept {
    identity_ = identity;
    environment_ = std::move(environment);
    return environment_.get();
  }

 private:
  FolderIdentity identity_;
  std::unique_ptr<Environment> environment_;
};

}  // namespace

std::shared_ptr<Environment> share_environment(const std::filesystem::path& folder, Access access) {
  if (access == Access::write) {
    make_folder(folder);
  }
  const FolderIdentity identity = identify(folder);
  auto& environments = open_environments();
  std::shared_ptr<Environment> environment;  // destroyed after the lock is released, because closing an
                                             // environment takes the lock as well
  std::unique_lock lock(environments.mutex);
  for (;;) {
    const auto known = environments.by_folder.find(identity);
    if (known == environments.by_folder.end()) {
      break;
    }
    environment = known->second.lock();
    if (environment != nullptr) {
      if (access == Access::write && environment->access() == Access::read) {
        throw Error(folder.string() +
                    ": this process has the feature store open for reading. Close it first");
      }
      return environment;
    }
    // Wait, because the last user has released the environment and is about to close it.
    environments.closed.wait(lock);
  }
  // Steps that may fail come before other callers can find the environment. Removing the environment after a
  // failure would need this lock, which is already held.
  const auto holder = std::make_shared<FoundByOthers>();
  auto opened = std::make_unique<Environment>(folder, access);
  std::weak_ptr<Environment>& entry = environments.by_folder[identity];
  environment = {holder, holder->hold(identity, std::move(opened))};
  entry = environment;
  return environment;
}

}  // namespace molgauge::store
