#include "base/core/files/shown_path.h"

#include <map>
#include <mutex>
#include <utility>

namespace molgauge {
namespace {

struct Names {
  std::mutex mutex;
  std::map<std::string, std::string> shown;
};

Names& names_of_the_process() {
  static Names names;
  return names;
}

}  // namespace

ShownPath::ShownPath(std::string path, std::string shown) : path_(std::move(path)) {
  Names& names = names_of_the_process();
  const std::lock_guard lock(names.mutex);
  names.shown[path_] = std::move(shown);
}

ShownPath::~ShownPath() {
  Names& names = names_of_the_process();
  const std::lock_guard lock(names.mutex);
  names.shown.erase(path_);
}

std::string shown_path(const std::string& path) {
  Names& names = names_of_the_process();
  const std::lock_guard lock(names.mutex);
  const auto found = names.shown.find(path);
  return found == names.shown.end() ? path : found->second;
}

}  // namespace molgauge
