#include "base/runtime/run_status.h"

#include <fstream>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"

namespace molgauge::runtime {
namespace {

constexpr const char* kFile = "status.json";
constexpr double kSecondsBetweenWrites = 0.5;

}  // namespace

RunStatus::RunStatus(std::filesystem::path run, std::uint64_t budget)
    : run_(std::move(run)), budget_(budget) {
  write(true);
}

RunStatus::~RunStatus() { write(false); }

void RunStatus::set_phase(const std::string& phase) {
  phases_.clear();
  if (!phase.empty()) {
    phases_.push_back(phase);
  }
  write(true);
}

void RunStatus::set_batch(std::string text) {
  batch_ = std::move(text);
  write(true);
}

void RunStatus::began(std::string_view name) {
  phases_.emplace_back(name);
  phases_changed();
}

void RunStatus::ended() {
  if (!phases_.empty()) {
    phases_.pop_back();
  }
  phases_changed();
}

void RunStatus::phases_changed() {
  if (phases_.size() <= 1 || since_write_->seconds() >= kSecondsBetweenWrites) {
    write(true);
  }
}

void RunStatus::write(bool running) {
  const nlohmann::ordered_json status = {{"pid", getpid()},
                                         {"running", running},
                                         {"phase", fmt::format("{}", fmt::join(phases_, " / "))},
                                         {"batch", batch_},
                                         {"memory_budget_bytes", budget_}};
  const auto temporary = run_ / (std::string(kFile) + ".tmp");
  std::error_code failure;
  if (std::ofstream(temporary) << json_line(status) << '\n') {
    std::filesystem::rename(temporary, run_ / kFile, failure);
  }
  since_write_ = Stopwatch();
}

std::optional<RunStatusFile> read_run_status(const std::filesystem::path& run) {
  const auto path = run / kFile;
  if (!std::filesystem::exists(path)) {
    return std::nullopt;
  }
  try {
    const auto status = parse_json(read_file(path));
    return RunStatusFile{.pid = checked<long>(status.at("pid")),
                         .running = status.at("running").get<bool>(),
                         .phase = status.at("phase").get<std::string>(),
                         .batch = status.at("batch").get<std::string>(),
                         .budget_bytes = checked<std::uint64_t>(status.at("memory_budget_bytes"))};
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(path.string() + ": not a file of a run (" + json_problem(problem) +
                     "). Name its process instead");
  }
}

}  // namespace molgauge::runtime
