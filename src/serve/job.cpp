#include "serve/job.h"

#include <array>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/json_reader.h"
#include "core/json_text.h"

namespace headroom::serve {
namespace {

constexpr std::array<std::pair<JobOrder::Task, const char*>, 4> kTasks{
    {{JobOrder::Task::encode, "encode"},
     {JobOrder::Task::domain, "domain"},
     {JobOrder::Task::score, "score"},
     {JobOrder::Task::explain, "explain"}}};
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

}  // namespace

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
                        {"molecules", order.molecules}});
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
                   .molecules = json.at("molecules")};
    if (order.input.find('/') != std::string::npos) {
      throw InputError("a job's file names an input elsewhere");
    }
    return order;
  } catch (const nlohmann::json::exception& problem) {
    throw InputError("a job's file: " + json_problem(problem));
  }
}

Job::Job(std::string id, std::filesystem::path folder, JobOrder order)
    : id_(std::move(id)), folder_(std::move(folder)), order_(std::move(order)) {
  progress_.total = order_.molecules;
  if (std::filesystem::exists(path())) {
    // A row that a killed process was writing is cut off.
    std::ifstream file(path());
    std::string line;
    while (std::getline(file, line) && !file.eof()) {
      starts_.push_back(bytes_);
      bytes_ += line.size() + 1;
    }
    file.close();
    std::filesystem::resize_file(path(), bytes_);
  }
  if (const auto kept = folder_ / "state.json"; std::filesystem::exists(kept)) {
    const auto json = parse_json(read_file(kept));
    state_ = kind_of(kStates, json.value("state", ""));
    summary_ = json.value("summary", "{}");
    failure_.status = json.value("status", 500U);
    failure_.body = json.value("failure", "");
  }
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
            {"done", is_whole ? starts_.size() : progress_.done},
            {"total", is_whole ? starts_.size() : progress_.total},
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
  return starts_.size();
}

void Job::append_rows(const std::string& lines) {
  {
    std::ofstream file(path(), std::ios::app | std::ios::binary);
    file << lines << std::flush;
    if (!file) {
      throw Error(path().string() + ": cannot be written; is the disk full?");
    }
    const std::lock_guard lock(mutex_);
    for (std::size_t at = 0; at < lines.size();) {
      starts_.push_back(bytes_ + at);
      at = lines.find('\n', at) + 1;
    }
    bytes_ += lines.size();
  }
  wake();
}

void Job::clear_rows() {
  const std::lock_guard lock(mutex_);
  std::filesystem::remove(path());
  starts_.clear();
  bytes_ = 0;
}

void Job::write_state(const Json& json) const { replace_file(folder_ / "state.json", json_text(json)); }

void Job::finish(const std::string& text) {
  const std::string summary = with_name_of_input(text);
  write_state({{"state", "done"}, {"summary", summary}});
  {
    const std::lock_guard lock(mutex_);
    summary_ = summary;
    state_ = State::done;
  }
  wake();
}

void Job::fail(Answer why, State state) {
  why.body = with_name_of_input(std::move(why.body));
  try {
    write_state({{"state", serve::to_string(state)}, {"status", why.status}, {"failure", why.body}});
  } catch (const std::exception&) {
    // The disk may be full, which is why it failed; the next process tries again.
  }
  {
    const std::lock_guard lock(mutex_);
    failure_ = why;
    state_ = state;
  }
  wake();
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
  return {bytes_, is_finished_locked()};
}

void Job::wait(const GrowingFile::State& seen, std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    if (bytes_ == seen.bytes && is_finished_locked() == seen.is_complete) {
      waiting_for_rows_.push_back(std::move(then));
      return;
    }
  }
  then();
}

std::string Job::slice(std::size_t first, std::size_t count) const {
  std::uint64_t begin = 0, end = 0;
  std::size_t last = 0;
  {
    const std::lock_guard lock(mutex_);
    first = std::min(first, starts_.size());
    last = std::min(first + count, starts_.size());
    begin = first < starts_.size() ? starts_[first] : bytes_;
    end = last < starts_.size() ? starts_[last] : bytes_;
  }
  std::string text(static_cast<std::size_t>(end - begin), '\0');
  if (!text.empty()) {
    std::ifstream file(path(), std::ios::binary);
    file.seekg(static_cast<std::streamoff>(begin));
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file) {
      throw Error(path().string() + ": cannot be read");
    }
    text.pop_back();
    for (char& letter : text) {
      letter = letter == '\n' ? ',' : letter;  // JSON has none but between the rows
    }
  }
  return fmt::format(R"({{"rows":[{}],"next":{}}})", text, last);
}

}  // namespace headroom::serve
