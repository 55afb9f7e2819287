#include "server/job_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/regular_file.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/session/cancellation.h"
#include "base/io/tables/csv_reader.h"
#include "server/in_memory_answers.h"
#include "server/list_cost.h"
#include "server/property_answers.h"

namespace molgauge::serve {
namespace {

/// After this number of molecules has been encoded, other work may run.
constexpr std::size_t kBlock = 1024;
/// Maximum cost of a block (server/list_cost.h), equal to the cost of 1,024 molecules with 60 atoms.
constexpr std::size_t kMaxCostOfBlock = kBlock * 60;
constexpr std::size_t kRowsAtOnce = 500;

std::mutex& running_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// The job that currently uses the engine.
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

/// Collects rows and passes them to the job in groups of some hundred rows.
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

/// On the page that the engine wrote, replaces the name of the input by the name that the client gave.
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
  request.describe = job.order().describe;
  set_prediction_columns(job.order().predictions, request);
  set_common(tools, request);
  const DomainReport report = tools.engine.run(request);
  name_input_on_page(job);
  job.clear_rows();
  RowWriter rows(job);
  // The rows of the table have the order of the list. Line numbers refer to the list that the client sent.
  ListReader list(job.input(), request.smiles_column);
  std::vector<std::string> predicted;
  for (const PredictedTask& task : model.predicted_form ? model.tasks : std::vector<PredictedTask>()) {
    std::transform(task.columns.begin(), task.columns.end(), std::back_inserter(predicted), predicted_column);
  }
  const bool has_predictions =
      !job.order().predictions.empty() || (!predicted.empty() && model.calibration.has_value());
  for_each_row({report.csv, request.smiles_column, has_predictions, request.describe, predicted},
               [&](Json row) {
                 if (const auto molecule = list.next()) {
                   row["line"] = molecule->line;
                 }
                 rows.append(std::move(row));
               });
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
  // A run without a threshold has no verdicts. No page is written then.
  request.page = model.threshold ? job.result(".html").string() : "";
  set_common(tools, request);
  const ScoreReport report = tools.engine.run(request);
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

/// Reads the lines and the reasons of the failed molecules that `molgauge predict` has listed.
class FailedLines {
 public:
  explicit FailedLines(const std::filesystem::path& file) : reader_(file.string(), ',') {
    reader_.next();  // line, input, reason
    next_ = reader_.next();
  }

  /// Returns the reason why the molecule at this line failed, or an empty text if it has not failed. Calls
  /// must have ascending lines.
  std::string reason_at(std::size_t line) {
    if (!next_ || next_->fields.size() < 3 || next_->fields.front() != std::to_string(line)) {
      return "";
    }
    std::string reason = next_->fields.back();
    next_ = reader_.next();
    return reason;
  }

 private:
  io::CsvReader reader_;
  std::optional<io::CsvRow> next_;
};

/// Removes the cells of `describe` from the end of a row, and returns the properties.
Json properties_in(std::vector<std::string>& cells) {
  const std::size_t first = cells.size() - kPropertyColumns.size();
  std::map<std::string, std::string> own;
  for (std::size_t i = 0; i < kPropertyColumns.size(); ++i) {
    own[kPropertyColumns[i].name] = cells[first + i];
  }
  cells.resize(first);
  return properties_json([&](const char* column) { return own.at(column); });
}

void predict(Job& job, const Tools& tools) {
  const Model& model = tools.models.find(job.order().model);
  PredictRequest request = predict_request(model, job.order().standardize, job.order().describe, tools);
  request.molecules = job.input().string();
  request.smiles_column = job.order().smiles_column;
  request.out = job.result(".csv").string();
  const PredictReport report = tools.engine.run(request);
  const bool marks_parents = request.standardize == Standardize::none;
  const std::size_t properties = request.describe ? kPropertyColumns.size() : 0;
  std::size_t columns = (marks_parents ? 1 : 0) + properties;
  for (const PredictedTask& task : report.tasks) {
    columns += task.columns.size();
  }
  job.clear_rows();
  RowWriter rows(job);
  ListReader list(job.input(), request.smiles_column);
  FailedLines failed(job.result(".failed.csv"));
  io::CsvReader table(request.out, ',');
  const auto header = table.next();
  const bool is_sdf = job.input().extension() == ".sdf";
  while (const auto row = table.next()) {
    auto molecule = list.next();
    if (!molecule || row->fields.size() < columns || !header) {
      throw Error(request.out + ": is not the table that was written. Send the list again");
    }
    const std::string reason = failed.reason_at(molecule->line);
    if (is_sdf) {
      molecule->smiles = row->fields.at(1);  // line, smiles
    }
    PredictedCells predicted{
        .cells = {row->fields.end() - static_cast<std::ptrdiff_t>(columns), row->fields.end()},
        .reason = reason};
    if (request.describe) {
      predicted.properties = properties_in(predicted.cells);
    }
    if (marks_parents) {
      if (reason.empty()) {
        predicted.parent_differs = !predicted.cells.back().empty();
      }
      predicted.cells.pop_back();
    }
    rows.append(predicted_row(model, rows.count(), *molecule, predicted));
  }
  rows.flush();
  tools.metrics.judged(rows.count());
  job.finish(json_line(predictions_head(model)));
}

std::string word_of(MemoryVerdict verdict) {
  constexpr std::array<const char*, 5> kWords{"fragmented", "too much", "wasteful", "sound", "no history"};
  return kWords.at(static_cast<std::size_t>(verdict));
}

void explain(Job& job, const Tools& tools) {
  ExplainMemoryRequest request;
  request.file = job.input().string();
  request.page = job.result(".html").string();
  const MemoryExplanation explanation = tools.engine.run(request);
  name_input_on_page(job);
  job.finish(json_line(Json{{"verdict", word_of(explanation.verdict)},
                            {"cause", explanation.cause_text},
                            {"text", explanation.text},
                            {"explanation", parse_json<Json>(explanation.json)},
                            {"job", job.id()}}));
}

/// An encoding that is done in blocks.
class BlockEncoding {
 public:
  BlockEncoding(Job& job, const Tools& tools) : job_(job), tools_(tools) {
    request_.encoder = job.order().encoder;
    request_.store = tools.request.store;
    request_.weights = tools.request.weights;
    request_.compute = tools.request.compute;
    width_ = tools.models.width_of(request_.encoder);
  }

  Work::Outcome next_block() {
    if (!reader_) {
      reader_.emplace(job_.input(), job_.order().smiles_column);
      for (; row_ < job_.rows() && reader_->next(); ++row_) {
      }
    }
    read_block();
    if (!next_.empty()) {
      encode();
      return Work::Outcome::more;
    }
    wait_for_rows();
    job_.finish(json_line(Json{{"encoder", request_.encoder}, {"columns", width_}}));
    return Work::Outcome::done;
  }

  /// Waits until the rows of the previous block are written, and ignores errors.
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

  /// Reads the molecules of the next block into next_. If the encoding of a block was interrupted, next_
  /// still contains that block.
  void read_block() {
    std::size_t cost = 0;
    for (const ListedMolecule& molecule : next_) {
      cost += cost_of(molecule.smiles);
    }
    while (next_.size() < kBlock && cost < kMaxCostOfBlock) {
      auto molecule = reader_->next();
      if (!molecule) {
        return;
      }
      molecule->line = job_.order().is_list ? row_ + next_.size() + 1 : molecule->line;
      cost += cost_of(molecule->smiles);
      next_.push_back(std::move(*molecule));
    }
  }

  void encode() {
    Block block;
    std::vector<std::string> smiles;
    for (const ListedMolecule& molecule : next_) {
      smiles.push_back(molecule.unreadable.empty() ? molecule.smiles : "");
    }
    block.features.resize(smiles.size() * width_);
    block.first_row = row_;
    EncodeReport report = tools_.engine.encode(request_, smiles, block.features);
    block.molecules = std::exchange(next_, {});
    block.failed = std::move(report.failed);
    block.molecules_per_second = report.molecules_per_second;
    row_ += smiles.size();
    wait_for_rows();
    // Writes the rows of this block while the next block is encoded.
    writing_ = std::async(std::launch::async, [this, block = std::move(block)] { write(block); });
  }

  void wait_for_rows() {
    if (writing_.valid()) {
      writing_.get();
    }
  }

  void write(const Block& block) {
    const std::vector<std::string> reasons = reasons_of(block.molecules, block.failed);
    std::string lines;
    for (std::size_t i = 0; i < block.molecules.size(); ++i) {
      lines += encoded_row(block.first_row + i, block.molecules[i], reasons[i],
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
  std::vector<ListedMolecule> next_;  ///< the block that is encoded
  std::future<void> writing_;         ///< writes the rows of the previous block
};

/// Answers a list of SMILES without a valid molecule like a short list: each row says why it is unreadable.
/// Returns false if another problem ended the job.
bool answer_unreadable(Job& job, const Tools& tools, const std::string& problem) {
  const JobOrder& order = job.order();
  const bool is_smiles = order.is_list || job.input().extension() == ".smi";
  if (!is_smiles || problem.find("is a valid molecule:") == std::string::npos) {
    return false;
  }
  const Model& model = tools.models.find(order.model);
  ListReader reader(job.input(), order.smiles_column);
  job.clear_rows();
  RowWriter rows(job);
  Json head;
  std::vector<ListedMolecule> block;
  const auto answer_block = [&] {
    throw_if_cancelled();
    head = order.task == JobOrder::Task::predict
               ? predict_at_hand(model, block, order.standardize, order.describe, tools)
               : judge_at_hand(model, block, order.predictions, order.describe, tools);
    for (Json& row : head.at("rows")) {
      row["row"] = rows.count();
      rows.append(row);
    }
    head.erase("rows");
    block.clear();
  };
  while (auto molecule = reader.next()) {
    block.push_back(std::move(*molecule));
    if (block.size() == kMaxAtHand) {
      answer_block();
    }
  }
  if (!block.empty()) {
    answer_block();
  }
  rows.flush();
  if (head.contains("counts")) {
    head["counts"]["unreadable"] = rows.count();
  }
  job.finish(json_line(head));
  return true;
}

void with_unreadable_lists(Job& job, const Tools& tools, void (*work)(Job&, const Tools&)) {
  try {
    work(job, tools);
  } catch (const InputError& problem) {
    if (!answer_unreadable(job, tools, problem.what())) {
      throw;
    }
  }
}

/// Fails the job with the exception that is being handled.
void fail_by_exception(Job& job) {
  if (job.work->is_out_of_time()) {
    job.fail(error_answer(408, "limit", "the job took longer than this server allows. Send a shorter list"));
  } else if (job.work->is_ending()) {
    job.leave(
        error_answer(503, "busy", "the server is shutting down. The job continues when it starts again"));
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
    require_regular_file(job->input());  // a pipe would block this thread for ever
    const Running running(*job);
    switch (job->order().task) {
      case JobOrder::Task::encode:
        return encoding->next_block();
      case JobOrder::Task::domain:
        with_unreadable_lists(*job, tools, judge);
        break;
      case JobOrder::Task::score:
        with_unreadable_lists(*job, tools, score);
        break;
      case JobOrder::Task::explain:
        explain(*job, tools);
        break;
      case JobOrder::Task::predict:
        with_unreadable_lists(*job, tools, predict);
        break;
    }
  } catch (const Interrupted&) {
    if (job->work->is_to_yield()) {
      return Work::Outcome::more;  // the finished rows are in the store and in files of the job
    }
    if (encoding != nullptr) {
      encoding->end_rows();
    }
    fail_by_exception(*job);
  } catch (...) {
    if (encoding != nullptr) {
      encoding->end_rows();
    }
    fail_by_exception(*job);
  }
  return Work::Outcome::done;
}

}  // namespace

void report_progress(const ProgressReport& progress) {
  const std::lock_guard lock(running_mutex());
  Job* const job = running_job();
  if (job != nullptr && job->order().task != JobOrder::Task::encode) {
    job->report({std::string(progress.title), progress.done, progress.total, progress.per_second});
  }
}

void set_prediction_columns(const PredictionFields& fields, DomainRequest& request) {
  request.prediction_column = fields.prediction;
  request.uncertainty_column = fields.uncertainty;
  request.lower_column = fields.lower;
  request.upper_column = fields.upper;
}

void give_work(const std::shared_ptr<Job>& job, const Tools& tools) {
  const auto encoding =
      job->order().task == JobOrder::Task::encode ? std::make_shared<BlockEncoding>(*job, tools) : nullptr;
  // The job owns the work. The work therefore holds only a weak pointer to the job.
  const std::weak_ptr<Job> weak = job;
  job->work = std::make_shared<Work>(
      [weak, encoding, tools] {
        const auto own = weak.lock();
        return own ? run(own, encoding.get(), tools) : Work::Outcome::done;
      },
      [weak] {
        const auto own = weak.lock();
        if (own && own->work->is_cancelled()) {
          own->fail(error_answer(409, "cancelled", "the job was cancelled"), Job::State::cancelled);
        } else if (own) {
          own->leave(error_answer(503, "busy",
                                  "the server is shutting down. The job continues when it starts again"));
        }
      });
  // An interrupted explanation would start again from the beginning, so explanations do not yield.
  job->work->can_yield = job->order().task != JobOrder::Task::explain;
}

std::vector<std::string> reasons_of(const std::vector<ListedMolecule>& molecules,
                                    const std::vector<FailedMolecule>& failed) {
  std::vector<std::string> reasons(molecules.size());
  for (const FailedMolecule& molecule : failed) {
    reasons.at(molecule.row) = molecule.reason;
  }
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (!molecules[i].unreadable.empty()) {
      reasons[i] = molecules[i].unreadable;
    }
  }
  return reasons;
}

std::string encoded_row(std::size_t row, const ListedMolecule& molecule, const std::string& reason,
                        std::span<const float> features) {
  const bool is_finite =
      std::all_of(features.begin(), features.end(), [](float feature) { return std::isfinite(feature); });
  const bool has_features = reason.empty() && is_finite;
  Json json{{"row", row}, {"line", molecule.line}, {"name", molecule.name}, {"smiles", molecule.smiles}};
  json["reason"] = has_features      ? ""
                   : !reason.empty() ? reason
                                     : "its features are no longer in the store. Send it again";
  std::string text = json_line(json);
  text.pop_back();
  text += ",\"features\":";
  if (!has_features) {
    return text + "null}";
  }
  // The shortest text that parses to the same float.
  for (std::size_t i = 0; i < features.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? '[' : ',', features[i]);
  }
  return text + "]}";
}

}  // namespace molgauge::serve
