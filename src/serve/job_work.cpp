#include "serve/job_work.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/json_reader.h"
#include "core/json_text.h"

namespace headroom::serve {
namespace {

/// Molecules of an encoding after which other work has its turn.
constexpr std::size_t kBlock = 1024;
constexpr std::size_t kRowsAtOnce = 500;

std::mutex& running_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// The job that the engine works for.
Job*& running_job() {
  static Job* job = nullptr;
  return job;
}

class Running {
 public:
  explicit Running(Job& job) {
    const std::lock_guard lock(running_mutex());
    running_job() = &job;
  }
  ~Running() {
    const std::lock_guard lock(running_mutex());
    running_job() = nullptr;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

/// Collects rows and hands them to the job some hundred at a time.
class RowWriter {
 public:
  explicit RowWriter(Job& job) : job_(job) {}
  void append(Json row) {
    if (job_.order().is_list) {
      row["line"] = count_ + 1;
    }
    lines_ += json_line(row) + '\n';
    if (++count_ % kRowsAtOnce == 0) {
      flush();
    }
  }
  void flush() {
    if (!lines_.empty()) {
      job_.append_rows(std::exchange(lines_, ""));
    }
  }
  std::size_t count() const { return count_; }

 private:
  Job& job_;
  std::string lines_;
  std::size_t count_ = 0;
};

void set_common(const Tools& tools, auto& request) {
  request.store = tools.request.store;
  request.weights = tools.request.weights;
  request.compute = tools.request.compute;
}

/// The page that the engine wrote, with the sender's name of the input.
void name_input_on_page(const Job& job) {
  const std::filesystem::path page = job.result(".html");
  if (std::filesystem::exists(page)) {
    replace_file(page, job.with_name_of_input(read_file(page)));
  }
}

void judge(Job& job, const Tools& tools) {
  const Model& model = tools.models.find(job.order().model);
  DomainRequest request;
  request.training = model.folder;
  request.candidates = job.input().string();
  request.smiles_column = job.order().smiles_column;
  request.out = job.result(".csv").string();
  set_common(tools, request);
  const DomainReport report = tools.engine.judge_domain(request);
  name_input_on_page(job);
  job.clear_rows();
  RowWriter rows(job);
  for_each_row(report.csv, request.smiles_column, [&](const Json& row) { rows.append(row); });
  rows.flush();
  tools.metrics.judged(rows.count());
  const Json counts{{"inside", report.inside},
                    {"borderline", report.borderline},
                    {"outside", report.outside},
                    {"unreadable", report.unreadable}};
  job.finish(json_line(Json{{"model", model.name}, {"kind", to_string(model.kind)}, {"counts", counts}}));
}

void score(Job& job, const Tools& tools) {
  const Model& model = tools.models.find(job.order().model);
  ScoreRequest request;
  request.run = model.folder;
  request.molecules = job.input().string();
  request.smiles_column = job.order().smiles_column;
  request.out = job.result(".csv").string();
  // A run without a threshold has no verdicts, which a page is made of.
  request.page = model.threshold ? job.result(".html").string() : "";
  set_common(tools, request);
  const ScoreReport report = tools.engine.score(request);
  name_input_on_page(job);
  job.clear_rows();
  const ScoredRows scored(report);
  RowWriter rows(job);
  VerdictCounts counts;
  for (std::size_t i = 0; i < report.molecules.size(); ++i) {
    const Json row = scored.row(i);
    counts.add(row);
    rows.append(row);
  }
  rows.flush();
  tools.metrics.judged(rows.count());
  job.finish(json_line(Json{{"model", model.name},
                            {"kind", to_string(model.kind)},
                            {"score", report.score_name},
                            {"threshold", report.threshold ? Json(*report.threshold) : Json(nullptr)},
                            {"notes", Json::array({report.threshold_origin})},
                            {"counts", counts.json()}}));
}

std::string word_of(MemoryVerdict verdict) {
  constexpr std::array<const char*, 5> kWords{"fragmented", "too much", "wasteful", "sound", "no history"};
  return kWords.at(static_cast<std::size_t>(verdict));
}

void explain(Job& job, const Tools& tools) {
  ExplainMemoryRequest request;
  request.file = job.input().string();
  request.html = job.result(".html").string();
  const MemoryExplanation explanation = tools.engine.explain_memory(request);
  name_input_on_page(job);
  job.finish(json_line(Json{{"verdict", word_of(explanation.verdict)},
                            {"cause", explanation.cause_text},
                            {"text", explanation.text},
                            {"explanation", parse_json<Json>(explanation.json)},
                            {"job", job.id()}}));
}

/// An encoding, of which a block is done at a time.
class BlockEncoding {
 public:
  BlockEncoding(Job& job, const Tools& tools) : job_(job), tools_(tools) {
    request_.encoder = job.order().encoder;
    request_.store = tools.request.store;
    request_.weights = tools.request.weights;
    request_.compute = tools.request.compute;
    for (const EncoderInfo& encoder : tools.engine.encoders()) {
      width_ = encoder.name == request_.encoder ? encoder.width : width_;
    }
  }

  Work::Outcome next_block() {
    if (!reader_) {
      reader_.emplace(job_.input(), job_.order().smiles_column);
      for (; row_ < job_.rows() && reader_->next(); ++row_) {
      }
    }
    std::vector<ListedMolecule> molecules;
    std::vector<std::string> smiles;
    while (molecules.size() < kBlock) {
      auto molecule = reader_->next();
      if (!molecule) {
        break;
      }
      molecule->line = job_.order().is_list ? row_ + molecules.size() + 1 : molecule->line;
      smiles.push_back(molecule->smiles);
      molecules.push_back(std::move(*molecule));
    }
    if (!molecules.empty()) {
      encode(std::move(molecules), smiles);
      return Work::Outcome::more;
    }
    wait_for_rows();
    job_.finish(json_line(Json{{"encoder", request_.encoder}, {"columns", width_}}));
    return Work::Outcome::done;
  }

  /// Waits for the rows that are being written, whatever becomes of them.
  void end_rows() noexcept {
    if (writing_.valid()) {
      writing_.wait();
    }
  }

 private:
  struct Block {
    std::vector<ListedMolecule> molecules;
    std::vector<float> features;
    std::vector<FailedMolecule> failed;
    std::size_t first_row = 0;
    double molecules_per_second = 0;
  };

  void encode(std::vector<ListedMolecule> molecules, const std::vector<std::string>& smiles) {
    Block block;
    block.molecules = std::move(molecules);
    block.features.resize(smiles.size() * width_);
    block.first_row = row_;
    EncodeReport report = tools_.engine.encode(request_, smiles, block.features);
    block.failed = std::move(report.failed);
    block.molecules_per_second = report.molecules_per_second;
    row_ += smiles.size();
    wait_for_rows();
    // The next block is encoded meanwhile.
    writing_ = std::async(std::launch::async, [this, block = std::move(block)] { write(block); });
  }

  void wait_for_rows() {
    if (writing_.valid()) {
      writing_.get();
    }
  }

  void write(const Block& block) {
    std::map<std::size_t, std::string> reasons;
    for (const FailedMolecule& failed : block.failed) {
      reasons[failed.row] = failed.reason;
    }
    std::string lines;
    for (std::size_t i = 0; i < block.molecules.size(); ++i) {
      lines +=
          encoded_row(block.first_row + i, block.molecules[i], reasons.contains(i) ? &reasons.at(i) : nullptr,
                      std::span(block.features).subspan(i * width_, width_));
      lines += '\n';
    }
    job_.append_rows(lines);
    tools_.metrics.judged(block.molecules.size());
    job_.report({"encode", block.first_row + block.molecules.size(), job_.order().molecules,
                 block.molecules_per_second});
  }

  Job& job_;
  Tools tools_;
  EncodeRequest request_;
  std::size_t width_ = 0, row_ = 0;
  std::optional<ListReader> reader_;
  std::future<void> writing_;  ///< of the rows of the block before
};

/// Fails the job by the exception that is being handled.
void fail_by_exception(Job& job) {
  if (job.work->is_out_of_time()) {
    job.fail(error_answer(408, "limit", "the job took longer than this server allows (--most-seconds)"));
  } else if (job.work->is_cancelled()) {
    job.fail(error_answer(409, "cancelled", "the job was cancelled"), Job::State::cancelled);
  } else {
    job.fail(failure_answer());
  }
}

Work::Outcome run(const std::shared_ptr<Job>& job, BlockEncoding* encoding, const Tools& tools) {
  try {
    if (job->work->is_cancelled()) {
      throw Interrupted();
    }
    job->begin();
    const Running running(*job);
    switch (job->order().task) {
      case JobOrder::Task::encode:
        return encoding->next_block();
      case JobOrder::Task::domain:
        judge(*job, tools);
        break;
      case JobOrder::Task::score:
        score(*job, tools);
        break;
      case JobOrder::Task::explain:
        explain(*job, tools);
        break;
    }
  } catch (...) {
    if (encoding != nullptr) {
      encoding->end_rows();
    }
    fail_by_exception(*job);
  }
  return Work::Outcome::done;
}

/// Not result.json, which the command line writes beside its CSV.
std::filesystem::path rows_as_json(const Job& job) { return job.folder() / "rows.json"; }

/// {"model": ..., "rows": [...], ...}: the summary's fields with the rows among them.
void write_json(const Job& job) {
  const std::string summary = job.summary();
  std::ofstream file(rows_as_json(job), std::ios::binary);
  file << summary.substr(0, summary.rfind('}')) << (summary.size() > 2 ? "," : "") << "\"rows\":[";
  std::ifstream rows(job.path(), std::ios::binary);
  std::string line;
  for (bool is_first = true; std::getline(rows, line); is_first = false) {
    file << (is_first ? "\n" : ",\n") << line;
  }
  file << "]}\n" << std::flush;
  if (!file) {
    throw Error(rows_as_json(job).string() + ": cannot be written; is the disk full?");
  }
}

/// A record for each row: its structure laid out flat, and its result as data fields. A row that is no
/// molecule has no record.
void write_sdf(const Job& job, Engine& engine) {
  std::ofstream file(job.result(".sdf"), std::ios::binary);
  std::ifstream rows(job.path(), std::ios::binary);
  for (std::string line; std::getline(rows, line);) {
    const auto row = parse_json<Json>(line);
    try {
      std::string block = engine.depict({.smiles = row.at("smiles"), .as_mol_block = true});
      std::string name = row.at("name").get<std::string>();
      name = name.substr(0, name.find_first_of("\r\n"));
      block = name + block.substr(block.find('\n'));
      file << block;
    } catch (const Error&) {
      continue;
    }
    for (const auto& [key, value] : row.items()) {
      if (key != "name" && key != "nearest" && !value.is_null()) {
        std::string text = value.is_string() ? value.get<std::string>() : json_line(value);
        std::replace(text.begin(), text.end(), '\n', ' ');
        file << "> <" << key << ">\n" << text << "\n\n";
      }
    }
    file << "$$$$\n";
  }
  file.flush();
  if (!file) {
    throw Error(job.result(".sdf").string() + ": cannot be written; is the disk full?");
  }
}

constexpr std::array<std::pair<const char*, const char*>, 5> kForms{{{"json", "application/json"},
                                                                     {"ndjson", "application/x-ndjson"},
                                                                     {"csv", "text/csv"},
                                                                     {"sdf", "chemical/x-mdl-sdfile"},
                                                                     {"html", "text/html"}}};

}  // namespace

void report_progress(const ProgressReport& progress) {
  const std::lock_guard lock(running_mutex());
  Job* const job = running_job();
  if (job != nullptr && job->order().task != JobOrder::Task::encode) {
    job->report({std::string(progress.title), progress.done, progress.total, progress.per_second});
  }
}

void give_work(const std::shared_ptr<Job>& job, const Tools& tools) {
  const auto encoding =
      job->order().task == JobOrder::Task::encode ? std::make_shared<BlockEncoding>(*job, tools) : nullptr;
  // The work is a member of the job, which therefore lives as long as it.
  const std::weak_ptr<Job> weak = job;
  job->work = std::make_shared<Work>(
      [weak, encoding, tools] {
        const auto own = weak.lock();
        return own ? run(own, encoding.get(), tools) : Work::Outcome::done;
      },
      [weak] {
        if (const auto own = weak.lock(); own && own->work->is_cancelled()) {
          own->fail(error_answer(409, "cancelled", "the job was cancelled"), Job::State::cancelled);
        }
      });
}

std::string encoded_row(std::size_t row, const ListedMolecule& molecule, const std::string* reason,
                        std::span<const float> features) {
  Json json{{"row", row}, {"line", molecule.line}, {"name", molecule.name}, {"smiles", molecule.smiles}};
  json["reason"] = reason == nullptr ? "" : *reason;
  std::string text = json_line(json);
  text.pop_back();
  text += ",\"features\":";
  if (reason != nullptr) {
    return text + "null}";
  }
  // The shortest digits that are read back as the same float.
  for (std::size_t i = 0; i < features.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? '[' : ',', features[i]);
  }
  return text + "]}";
}

std::string wanted_form(const Request& request) {
  if (const std::string as = request.parameter("as"); !as.empty()) {
    return as;
  }
  for (const auto& [form, type] : kForms) {
    // Browsers accept HTML of everything; a link says `as`.
    if (request.accepts(type)) {
      return form;
    }
  }
  return "json";
}

std::string content_type_of_form(const std::string& as) {
  for (const auto& [form, type] : kForms) {
    if (form == as) {
      return as == "html" || as == "csv" ? std::string(type) + "; charset=utf-8" : type;
    }
  }
  throw UsageError("as=" + as + ": json, ndjson, csv, sdf or html is expected");
}

Answer result_of(const std::shared_ptr<Job>& job, const std::string& as, const Tools& tools) {
  if (job->status() != Job::State::done) {
    return job->failure();
  }
  Answer answer{.content_type = content_type_of_form(as), .keeps = job};
  const bool is_explained = job->order().task == JobOrder::Task::explain;
  if (is_explained && as == "json") {
    answer.body = job->summary() + "\n";
    return answer;
  }
  if (as == "ndjson" && !is_explained) {
    answer.file = job->path();
  } else if (as == "json") {
    answer.file = rows_as_json(*job);
    if (!std::filesystem::exists(answer.file)) {
      write_json(*job);
    }
  } else if (as == "sdf" && !is_explained && job->order().task != JobOrder::Task::encode) {
    answer.file = job->result(".sdf");
    if (!std::filesystem::exists(answer.file)) {
      write_sdf(*job, tools.engine);
    }
  } else {
    answer.file = job->result(as == "html" ? ".html" : ".csv");
  }
  if (!std::filesystem::exists(answer.file)) {
    throw UsageError("as=" + as + ": this result has no such form");
  }
  if (as == "csv" || as == "sdf") {
    answer.fields.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"headroom-{}.{}\"",
                                                                  to_string(job->order().task), as));
  }
  return answer;
}

}  // namespace headroom::serve
