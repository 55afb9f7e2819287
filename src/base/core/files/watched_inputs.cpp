#include "base/core/files/watched_inputs.h"

#include <map>
#include <mutex>
#include <optional>

namespace molgauge {
namespace {

std::string changed(const std::string& change) {
  return change +
         " changed while the command was reading the file. Run the same command again when no other program "
         "writes to the file";
}

struct Watched {
  std::optional<Hash128> content;  ///< hash of the first complete pass
  bool has_changed = false;        ///< stays true, because a caller may have caught the error
};

struct Watch {
  std::mutex mutex;
  std::size_t calls = 0;
  std::map<std::string, Watched> files;
};

Watch& watch_of_the_process() {
  static Watch watch;
  return watch;
}

}  // namespace

WatchedInputs::WatchedInputs() {
  Watch& watch = watch_of_the_process();
  const std::lock_guard lock(watch.mutex);
  ++watch.calls;
}

WatchedInputs::~WatchedInputs() {
  Watch& watch = watch_of_the_process();
  const std::lock_guard lock(watch.mutex);
  if (--watch.calls == 0) {
    watch.files.clear();
  }
}

void watch_input(const std::string& path) {
  Watch& watch = watch_of_the_process();
  const std::lock_guard lock(watch.mutex);
  if (watch.calls > 0) {
    watch.files.try_emplace(path);
  }
}

std::unique_ptr<WatchedPass> WatchedPass::begin(const std::string& path) {
  Watch& watch = watch_of_the_process();
  const std::lock_guard lock(watch.mutex);
  return watch.files.contains(path) ? std::unique_ptr<WatchedPass>(new WatchedPass(path)) : nullptr;
}

void WatchedPass::append(std::span<const char> bytes) { hash_.append(std::as_bytes(bytes)); }

void WatchedPass::end() {
  Watch& watch = watch_of_the_process();
  const std::lock_guard lock(watch.mutex);
  const auto found = watch.files.find(path_);
  if (found == watch.files.end()) {
    return;
  }
  Watched& file = found->second;
  const Hash128 content = hash_.value();
  file.has_changed = file.has_changed || (file.content && *file.content != content);
  file.content = file.content.value_or(content);
  if (file.has_changed) {
    throw ChangedInput(changed("the content"));
  }
}

void refuse_changed(const std::string& file, const std::string& change) {
  throw ChangedInput(file + ": " + changed(change));
}

}  // namespace molgauge
