#pragma once

#include <filesystem>
#include <string>

namespace headroom::session {

/// An input that can be read several times: the input itself where it is a file, else a copy in
/// `folder`.
std::string reread_input(const std::string& input, const std::filesystem::path& folder);

/// As reread_input(), with a copy in a new folder in `parent`, which is removed with the object.
class RereadInput {
 public:
  RereadInput(const std::string& input, const std::filesystem::path& parent);
  ~RereadInput();
  RereadInput(const RereadInput&) = delete;
  RereadInput& operator=(const RereadInput&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::filesystem::path folder_;  ///< empty: the input itself is read
  std::string path_;
};

}  // namespace headroom::session
