#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "serve/body.h"

/// A request and its answer, without anything of the network.
namespace headroom::serve {

using Query = std::map<std::string, std::string>;

struct Request {
  std::string method;  ///< "GET"
  std::string path;    ///< decoded, without the query: "/api/v1/depict"
  Query query;
  std::string accept, content_type;  ///< as sent; empty where they were not
  std::shared_ptr<Body> body;        ///< null if the method has none

  std::string parameter(const std::string& name, const std::string& otherwise = "") const;
  /// Throws UsageError with the parameter if it is not an integer from `least` to `most`.
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
  /// Calls `then` once, from any thread, when the state differs from `seen`. Calls it at once if the state
  /// already differs.
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

/// A refusal that is thrown as the answer that it has.
class Refused : public std::exception {
 public:
  explicit Refused(Answer answer) : answer_(std::move(answer)) {}
  const Answer& answer() const { return answer_; }
  const char* what() const noexcept override { return answer_.body.c_str(); }

 private:
  Answer answer_;
};

/// The answer to an exception, in words of the API (serve/api_words.h). Call it within a catch block.
Answer failure_answer();
/// 503 with Retry-After.
Answer busy_answer();

}  // namespace headroom::serve
