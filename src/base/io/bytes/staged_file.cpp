#include "base/io/bytes/staged_file.h"

#include <cerrno>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/file_calls.h"
#include "base/core/files/temporary_file.h"

namespace molgauge::io {
namespace {

std::filesystem::path staged_name(const std::filesystem::path& name) {
  const auto path = file_to_replace(name);
  remove_stale_temporaries(path);
  return temporary_name(path, "part");
}

}  // namespace

StagedFile::StagedFile(std::filesystem::path path)
    : path_(std::move(path)), staged_(staged_name(path_)), file_(staged_, path_.string()) {}

StagedFile::~StagedFile() {
  if (!committed_) {
    file_calls().remove(staged_);
  }
}

void StagedFile::append(std::span<const std::byte> bytes) { file_.append(bytes); }

void StagedFile::append(std::string_view text) { append(std::as_bytes(std::span(text))); }

void StagedFile::overwrite(std::uint64_t offset, std::string_view text) {
  file_.overwrite(offset, std::as_bytes(std::span(text)));
}

void StagedFile::commit() {
  file_.finish();
  replace_file(path_, [&](const std::filesystem::path& temporary) {
    if (file_calls().rename(staged_, temporary) != 0) {
      throw system_error(path_.string(), "write", errno);
    }
  });
  committed_ = true;
}

}  // namespace molgauge::io
