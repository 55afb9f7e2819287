#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/body.h"

/// A request and its answer, independent of the network.
namespace molgauge::serve {

using Query = std::map<std::string, std::string>;

struct Request {
  std::string method;  ///< "GET"
  std::string path;    ///< decoded, without the query: "/api/v1/depict"
  Query query;
  std::string accept, content_type;  ///< fields as they were sent; empty if they were not sent
  std::shared_ptr<Body> body;        ///< null if the method has no body

  std::string parameter(const std::string& name, const std::string& otherwise = "") const;
  /// Returns a parameter of the query, or `otherwise` if it is absent. Throws UsageError with the parameter
  /// if it is not an integer from `least` to `most`.
  std::uint64_t number(const std::string& name, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most) const;
  bool accepts(const std::string& type) const { return accept.find(type) != std::string::npos; }
  bool is_content(const std::string& type) const {
    return content_type.size() >= type.size() &&
           std::equal(type.begin(), type.end(), content_type.begin(), [](char wanted, char given) {
             return wanted == std::tolower(static_cast<unsigned char>(given));
           });
  }
};

/// A file to which another thread appends.
class GrowingFile {
 public:
  virtual ~GrowingFile() = default;
  virtual std::filesystem::path path() const = 0;
  struct State {
    std::uint64_t bytes = 0;  ///< bytes that can be read
    bool is_complete = false;
  };
  virtual State state() const = 0;
  /// Calls `then` once, from any thread, as soon as the state differs from `seen`. If the state already
  /// differs, calls `then` at once.
  virtual void wait(const State& seen, std::function<void()> then) = 0;
};

struct Answer {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> fields = {};  ///< additional fields of the header
  std::string body = {};
  std::filesystem::path file = {};                ///< file with the body. If it is empty, `body` is used
  std::shared_ptr<GrowingFile> stream = nullptr;  ///< growing file with the body
  std::shared_ptr<const void> keeps = nullptr;    ///< shared ownership of the file, so that it is not removed
                                                  ///< too early
};

/// Receives the answer once, from any thread.
using Respond = std::function<void(Answer)>;

/// Returns an answer with {"error": {"message": ..., "kind": ...}}.
Answer error_answer(unsigned status, const std::string& kind, const std::string& message);

/// An exception that contains the answer to a refused request.
class Refused : public std::exception {
 public:
  explicit Refused(Answer answer) : answer_(std::move(answer)) {}
  const Answer& answer() const { return answer_; }
  const char* what() const noexcept override { return answer_.body.c_str(); }

 private:
  Answer answer_;
};

/// Returns the answer to an exception, in terms of the API (server/api_words.h). Call it within a catch
/// block.
Answer failure_answer();
/// The answer 404.
Answer no_such_address(const std::string& path);
/// The answer 503 with Retry-After.
Answer busy_answer();

}  // namespace molgauge::serve
