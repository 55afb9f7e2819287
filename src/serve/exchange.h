#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// A request and its answer, without anything of the network.
namespace headroom::serve {

/// A body that was received into a file, which is removed with the object.
class SpooledBody {
 public:
  explicit SpooledBody(std::filesystem::path path) : path_(std::move(path)) {}
  ~SpooledBody() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  SpooledBody(const SpooledBody&) = delete;
  SpooledBody& operator=(const SpooledBody&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t bytes() const;
  /// The whole body.
  std::string text() const;
  /// Gives the file another name; the object then owns no file.
  void move_to(const std::filesystem::path& place);

 private:
  std::filesystem::path path_;
};

using Query = std::map<std::string, std::string>;

struct Request {
  std::string method;  ///< "GET"
  std::string path;    ///< decoded, without the query: "/api/v1/depict"
  Query query;
  std::string accept, content_type;   ///< as sent; empty where they were not
  std::shared_ptr<SpooledBody> body;  ///< null where the method has none

  std::string parameter(const std::string& name, const std::string& otherwise = "") const;
  /// Throws UsageError naming the parameter where it is no whole number from `least` to `most`.
  std::uint64_t number(const std::string& name, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most) const;
  bool accepts(const std::string& type) const { return accept.find(type) != std::string::npos; }
  bool is_content(const std::string& type) const { return content_type.starts_with(type); }
};

/// A file that another thread appends to, as far as it goes.
class GrowingFile {
 public:
  virtual ~GrowingFile() = default;
  virtual std::filesystem::path path() const = 0;
  struct State {
    std::uint64_t bytes = 0;  ///< that may be read
    bool is_complete = false;
  };
  virtual State state() const = 0;
  /// Calls `then` once, from any thread, when the state differs from `seen`; at once where it does already.
  virtual void wait(const State& seen, std::function<void()> then) = 0;
};

struct Answer {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> fields = {};  ///< further fields of the header
  std::string body = {};
  std::filesystem::path file = {};                ///< its content is the body; empty: `body` is
  std::shared_ptr<GrowingFile> stream = nullptr;  ///< its content is the body, as it grows
  std::shared_ptr<const void> keeps = nullptr;    ///< what the file belongs to
};

/// Takes the answer, once, from any thread.
using Respond = std::function<void(Answer)>;

/// {"error": {"message": ..., "kind": ...}}
Answer error_answer(unsigned status, const std::string& kind, const std::string& message);
/// The answer to an exception of the engine; call it within a catch block.
Answer failure_answer();

}  // namespace headroom::serve
