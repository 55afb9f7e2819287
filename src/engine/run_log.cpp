#include "engine/run_log.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "core/utf8.h"

namespace headroom::verbs {
namespace {

constexpr std::size_t kMostLogged = 100, kLongestText = 200;

void remove_earlier(const std::filesystem::path& file) {
  std::error_code failure;
  std::filesystem::remove(file, failure);
  if (failure) {
    throw system_error(file.string(), "remove", failure.value());
  }
}

}  // namespace

void RunLog::keep_failed(std::span<const FailedMolecule> failed, const std::filesystem::path& run,
                         CsvTexts texts, pipeline::FailureColumns columns) {
  const auto file = run / "failed.csv";
  if (failed.empty()) {
    remove_earlier(file);
    return;
  }
  for (const FailedMolecule& molecule : failed.first(std::min(failed.size(), kMostLogged))) {
    log_.append(spdlog::level::warn,
                fmt::format("{}:{}: '{}': {}", molecule.file, molecule.line,
                            utf8_beginning(molecule.text, kLongestText), molecule.reason));
  }
  if (failed.size() > kMostLogged) {
    log_.append(spdlog::level::warn,
                fmt::format("... and {} more molecules that were left out; all of them: {}",
                            failed.size() - kMostLogged, file.string()));
  }
  pipeline::write_failures(file, failed, texts, columns);
}

}  // namespace headroom::verbs
