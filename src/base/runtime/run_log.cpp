#include "base/runtime/run_log.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/utf8.h"
#include "base/runtime/failure_file.h"

namespace molgauge::runtime {
namespace {

constexpr std::size_t kMaxLogged = 100, kLongestText = 200;

void remove_earlier(const std::filesystem::path& file) {
  std::error_code failure;
  std::filesystem::remove(file, failure);
  if (failure) {
    throw system_error(file.string(), "remove", failure.value());
  }
}

}  // namespace

void RunLog::keep_failed(const pipeline::FailureLog& failed, const std::filesystem::path& run, CsvTexts texts,
                         pipeline::FailureColumns columns) {
  const auto file = run / "failed.csv";
  if (failed.empty()) {
    remove_earlier(file);
    return;
  }
  const auto logged = failed.first(kMaxLogged);
  for (const FailedMolecule& molecule : logged) {
    log_.append(LogLevel::warning, fmt::format("{}:{}: '{}': {}", molecule.file, molecule.line,
                                               utf8_beginning(molecule.text, kLongestText), molecule.reason));
  }
  if (failed.size() > logged.size()) {
    log_.append(LogLevel::warning, fmt::format("... and {} more molecules that were left out. {} lists all",
                                               failed.size() - logged.size(), file.string()));
  }
  pipeline::write_failures(file, failed, texts, columns);
}

}  // namespace molgauge::runtime
