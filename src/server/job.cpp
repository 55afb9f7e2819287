#include "server/job.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"

namespace molgauge::serve {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

const std::string& this_boot() {
  static const std::string boot = [] {
    std::string line;
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::getline(file, line);
    return line;
  }();
  return boot;
}

constexpr std::array<std::pair<JobOrder::Task, const char*>, 5> kTasks{
    {{JobOrder::Task::encode, "encode"},
     {JobOrder::Task::domain, "domain"},
     {JobOrder::Task::score, "score"},
     {JobOrder::Task::explain, "explain"},
     {JobOrder::Task::predict, "predict"}}};
constexpr std::array<std::pair<Job::State, const char*>, 5> kStates{{{Job::State::waiting, "waiting"},
                                                                     {Job::State::running, "running"},
                                                                     {Job::State::done, "done"},
                                                                     {Job::State::failed, "failed"},
                                                                     {Job::State::cancelled, "cancelled"}}};

template <typename Kind, std::size_t count>
std::string name_of(const std::array<std::pair<Kind, const char*>, count>& names, Kind kind) {
  for (const auto& [value, name] : names) {
    if (value == kind) {
      return name;
    }
  }
  return "";
}

template <typename Kind, std::size_t count>
Kind kind_of(const std::array<std::pair<Kind, const char*>, count>& names, const std::string& text) {
  for (const auto& [value, name] : names) {
    if (name == text) {
      return value;
    }
  }
  throw InputError("a job's file has the unknown word " + text);
}

/// Reads a file. If this fails, throws Error instead of InputError, because the file may still be intact.
std::string read_text(const std::filesystem::path& file) {
  try {
    return read_file(file);
  } catch (const InputError& problem) {
    throw Error(problem.what());
  }
}

/// Returns a text that changes whenever the file is written.
std::string size_and_times(const std::filesystem::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0
             ? fmt::format("{} {} {}.{} {}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                           status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
             : "";
}

}  // namespace

Moment moment_now() { return {this_boot(), seconds_of(CLOCK_BOOTTIME), seconds_of(CLOCK_REALTIME)}; }

double seconds_between(const Moment& then, const Moment& now) {
  const bool is_same_boot = !then.boot.empty() && then.boot == now.boot;
  return std::max(
      0.0, is_same_boot ? now.since_boot - then.since_boot : now.since_the_epoch - then.since_the_epoch);
}

std::string to_string(JobOrder::Task task) { return name_of(kTasks, task); }
std::string to_string(Job::State state) { return name_of(kStates, state); }

std::string to_json(const JobOrder& order) {
  return json_text(Json{{"task", to_string(order.task)},
                        {"model", order.model},
                        {"encoder", order.encoder},
                        {"input", order.input},
                        {"name", order.name},
                        {"smiles_column", order.smiles_column},
                        {"is_list", order.is_list},
                        {"molecules", order.molecules},
                        {"prediction_column", order.predictions.prediction},
                        {"uncertainty_column", order.predictions.uncertainty},
                        {"lower_column", order.predictions.lower},
                        {"upper_column", order.predictions.upper},
                        {"standardize", to_string(order.standardize)},
                        {"describe", order.describe}});
}

JobOrder job_order_from(const std::string& text) {
  try {
    const auto json = parse_json(text);
    JobOrder order{.task = kind_of(kTasks, json.at("task").get<std::string>()),
                   .model = json.at("model"),
                   .encoder = json.at("encoder"),
                   .input = json.at("input"),
                   .name = json.value("name", ""),
                   .smiles_column = json.at("smiles_column"),
                   .is_list = json.at("is_list"),
                   .molecules = json.at("molecules"),
                   .predictions = {.prediction = json.value("prediction_column", ""),
                                   .uncertainty = json.value("uncertainty_column", ""),
                                   .lower = json.value("lower_column", ""),
                                   .upper = json.value("upper_column", "")}};
    const auto form = from_word<Standardize>(json.at("standardize").get<std::string>());
    if (!form) {
      throw InputError("a job's file names an unknown form of molecules");
    }
    order.standardize = *form;
    order.describe = json.at("describe");
    if (order.input.find('/') != std::string::npos) {
      throw InputError("a job's file names an input elsewhere");
    }
    return order;
  } catch (const nlohmann::json::exception& problem) {
    throw InputError("a job's file: " + json_problem(problem));
  }
}

JobOrder read_job_order(const std::filesystem::path& file) { return job_order_from(read_text(file)); }

Job::Job(std::string id, std::filesystem::path folder, JobOrder order)
    : id_(std::move(id)),
      folder_(std::move(folder)),
      order_(std::move(order)),
      log_(folder_ / "rows.ndjson") {
  progress_.total = order_.molecules;
  if (std::filesystem::exists(folder_ / "state.json")) {
    read_state();
  }
}

void Job::read_state() {
  const auto file = folder_ / "state.json";
  require_intact(file, "Send the list again");
  const std::string text = read_text(file);
  try {
    const auto json = parse_json(text);
    const State state = kind_of(kStates, json.at("state").get<std::string>());
    summary_ = json.value("summary", "{}");
    failure_.status = json.value("status", 500U);
    failure_.body = json.value("failure", "");
    if (json.contains("rows")) {
      const auto& rows = json.at("rows");
      seal_ = {rows.at("count"), rows.at("bytes"), rows.at("checksum")};
    }
    if (json.contains("ended")) {
      const auto& ended = json.at("ended");
      ended_ = {ended.at("boot"), ended.at("since_boot"), ended.at("since_the_epoch")};
    } else {
      struct stat status {};
      ended_.since_the_epoch = ::stat(file.c_str(), &status) == 0 ? static_cast<double>(status.st_mtime)
                                                                  : moment_now().since_the_epoch;
    }
    state_ = state;
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(file.string() + ": " + json_problem(problem));
  }
}

double Job::age() const {
  const std::lock_guard lock(mutex_);
  return seconds_between(ended_, moment_now());
}

std::string Job::with_name_of_input(std::string text) const {
  const std::string path = input().string();
  const std::string& name = order_.name.empty() ? order_.input : order_.name;
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + name.size())) {
    text.replace(at, path.size(), name);
  }
  return text;
}

Job::State Job::status() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool Job::is_finished() const {
  const std::lock_guard lock(mutex_);
  return is_finished_locked();
}

Json Job::json() const {
  const std::lock_guard lock(mutex_);
  const bool is_whole = state_ == State::done;
  Json json{{"job", id_},
            {"task", serve::to_string(order_.task)},
            {"state", serve::to_string(state_)},
            {"stage", progress_.stage},
            {"done", is_whole ? log_.rows() : progress_.done},
            {"total", is_whole ? log_.rows() : progress_.total},
            {"rate", number_or_null(progress_.per_second)}};
  if (state_ == State::failed || state_ == State::cancelled) {
    const auto error = parse_json_or_nothing<Json>(failure_.body);
    json["error"] = error.is_object() ? error.value("error", Json::object()) : Json::object();
  }
  return json;
}

Answer Job::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::string Job::summary() const {
  const std::lock_guard lock(mutex_);
  return summary_;
}

void Job::begin() {
  const std::lock_guard lock(mutex_);
  state_ = State::running;
}

void Job::report(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
}

std::size_t Job::rows() const {
  const std::lock_guard lock(mutex_);
  return log_.rows();
}

void Job::append_rows(const std::string& lines) {
  log_.append(lines);
  wake();
}

void Job::clear_rows() { log_.clear(); }

void Job::write_state(Json json) const {
  json["ended"] = {
      {"boot", ended_.boot}, {"since_boot", ended_.since_boot}, {"since_the_epoch", ended_.since_the_epoch}};
  replace_file(folder_ / "state.json", json_text(json));
}

void Job::finish(const std::string& text) {
  const std::string summary = with_name_of_input(text);
  const RowLog::Seal seal = log_.seal();
  {
    const std::lock_guard lock(mutex_);
    ended_ = moment_now();
  }
  write_state({{"state", "done"},
               {"summary", summary},
               {"rows", {{"count", seal.rows}, {"bytes", seal.bytes}, {"checksum", seal.checksum}}}});
  {
    const std::lock_guard lock(mutex_);
    summary_ = summary;
    seal_ = seal;
    state_ = State::done;
  }
  wake();
}

void Job::end(Answer why, State state) {
  {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(why);
    state_ = state;
  }
  wake();
}

void Job::fail(Answer why, State state) {
  why.body = with_name_of_input(std::move(why.body));
  {
    const std::lock_guard lock(mutex_);
    ended_ = moment_now();
  }
  try {
    write_state({{"state", serve::to_string(state)}, {"status", why.status}, {"failure", why.body}});
  } catch (const std::exception& problem) {
    // A full disk may be the reason for this error, and also the reason why the job failed. The next process
    // tries the job again.
    log_warning("job {}: {}", id_, problem.what());
  }
  end(std::move(why), state);
}

void Job::leave(Answer why) {
  {
    const std::lock_guard lock(mutex_);
    if (is_finished_locked()) {
      return;
    }
    ended_ = moment_now();
  }
  end(std::move(why), State::failed);
}

void Job::require_intact_rows() const {
  std::optional<RowLog::Seal> seal;
  {
    const std::lock_guard lock(mutex_);
    seal = state_ == State::done ? seal_ : std::nullopt;
  }
  if (!seal) {
    return;
  }
  if (const std::string difference = difference_from(*seal, path()); !difference.empty()) {
    log_error("{}: is damaged: {}", path().string(), difference);
    throw Refused(error_answer(500, "damaged",
                               "the result of this job is damaged on the disk of the server: " + difference +
                                   ". Send the list again"));
  }
}

void Job::wake() {
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(mutex_);
    callbacks.swap(waiting_for_rows_);
    if (is_finished_locked()) {
      callbacks.insert(callbacks.end(), waiting_for_end_.begin(), waiting_for_end_.end());
      waiting_for_end_.clear();
    }
  }
  for (const auto& callback : callbacks) {
    callback();
  }
}

void Job::when_finished(std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_finished_locked()) {
      waiting_for_end_.push_back(std::move(then));
      return;
    }
  }
  then();
}

GrowingFile::State Job::state() const {
  const std::lock_guard lock(mutex_);
  return {log_.bytes(), is_finished_locked()};
}

void Job::wait(const GrowingFile::State& seen, std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    if (log_.bytes() == seen.bytes && is_finished_locked() == seen.is_complete) {
      waiting_for_rows_.push_back(std::move(then));
      return;
    }
  }
  then();
}

std::string Job::slice(std::size_t first, std::size_t count) const {
  if (status() == State::done) {
    const std::string now = size_and_times(path());
    std::string checked;
    {
      const std::lock_guard lock(mutex_);
      checked = checked_;
    }
    if (checked != now) {
      require_intact_rows();
      const std::lock_guard lock(mutex_);
      checked_ = now;
    }
  }
  RowLog::Slice slice = log_.slice(first, count);
  std::string& text = slice.lines;
  if (!text.empty()) {
    text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ',');  // JSON has line feeds only between the rows
  }
  return fmt::format(R"({{"rows":[{}],"next":{}}})", text, slice.next);
}

}  // namespace molgauge::serve
