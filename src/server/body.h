#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/core/files/output_file.h"

namespace molgauge::serve {

/// Bodies of up to this many bytes stay in memory. Longer bodies are written to a file.
inline constexpr std::size_t kMaxInMemory = std::size_t{128} << 10;

/// The body of a request, in memory or in a file. The file is removed with the object.
class Body {
 public:
  explicit Body(std::string text) : text_(std::move(text)) {}
  explicit Body(std::filesystem::path file) : file_(std::move(file)) {}
  ~Body();
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  bool is_in_memory() const { return file_.empty(); }
  std::uint64_t bytes() const;
  /// Whether the body begins like gzip data.
  bool is_packed() const;
  /// The whole body. Throws InputError if its file cannot be read.
  std::string text() const;
  /// Moves the body to the file `place`. This object is empty afterwards. To make the file survive a power
  /// cut, sync its folder. Throws Error, which names `place`, if the body cannot be moved.
  void move_to(const std::filesystem::path& place);

 private:
  friend class ReadableBody;
  std::string text_;
  std::filesystem::path file_;
};

/// A path from which the readers in src/base/io can read a body while the object exists. For a body in
/// memory, the path is an anonymous file, which needs no disk.
class ReadableBody {
 public:
  /// Throws Error if the system refuses an anonymous file.
  explicit ReadableBody(const Body& body);
  ~ReadableBody();
  ReadableBody(const ReadableBody&) = delete;
  ReadableBody& operator=(const ReadableBody&) = delete;

  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

/// Collects a body in pieces, first in memory, then in a file if it is longer than kMaxInMemory.
class BodyWriter {
 public:
  /// `new_place` returns the path of the file. It is called at most once.
  explicit BodyWriter(std::function<std::filesystem::path()> new_place) : new_place_(std::move(new_place)) {}
  /// Removes the file unless finish() was called.
  ~BodyWriter();
  BodyWriter(const BodyWriter&) = delete;
  BodyWriter& operator=(const BodyWriter&) = delete;

  /// Throws Error if the file cannot be written.
  void append(std::string_view piece);
  std::uint64_t bytes() const { return bytes_; }
  bool is_in_memory() const { return !file_; }
  /// Returns the body. Do not use the writer afterwards. Throws Error if the file cannot be written.
  std::shared_ptr<Body> finish();

 private:
  std::function<std::filesystem::path()> new_place_;
  std::string text_;
  std::filesystem::path place_;
  std::optional<OutputFile> file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace molgauge::serve
