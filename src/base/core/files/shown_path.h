#pragma once

#include <string>

namespace molgauge {

/// While an object exists, messages name a file by another name. Commands copy inputs that come through a
/// pipe. Messages then name the input, and not its copy.
class ShownPath {
 public:
  /// `shown`: the name that the user gave, for example "-".
  ShownPath(std::string path, std::string shown);
  ~ShownPath();
  ShownPath(const ShownPath&) = delete;
  ShownPath& operator=(const ShownPath&) = delete;

 private:
  std::string path_;
};

/// Returns the name of a file for messages. It is the path itself, unless a ShownPath says otherwise.
std::string shown_path(const std::string& path);

}  // namespace molgauge
