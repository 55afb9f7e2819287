#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/exchange.h"
#include "server/row_log.h"
#include "server/rows.h"
#include "server/work_queue.h"

namespace molgauge::serve {

/// A moment. It is measured by the time since boot, because changes of the system time do not affect that
/// time. The system time is stored as well, to compare moments of different boots.
struct Moment {
  std::string boot;            ///< identity of the boot; empty if it is unknown
  double since_boot = 0;       ///< seconds, including sleep
  double since_the_epoch = 0;  ///< seconds
};

Moment moment_now();

/// Seconds from `then` to `now`, at least 0.
double seconds_between(const Moment& then, const Moment& now);

/// The request of a job, stored in its folder as job.json.
struct JobOrder {
  enum class Task { encode, domain, score, explain, predict };
  Task task = Task::domain;
  std::string model = {};    ///< model for domain, score and predict
  std::string encoder = {};  ///< encoder for encode
  std::string input = {};    ///< name of the input file in the folder
  std::string name = {};     ///< file name that the client gave. If it is empty, `input` is used
  std::string smiles_column = "smiles";
  bool is_list = false;  ///< whether the input is a list without a file. Its molecules are numbered from 1
  std::size_t molecules = 0;                    ///< minimum number of records in the input
  PredictionFields predictions = {};            ///< for domain: columns with predictions of the user's model
  Standardize standardize = Standardize::none;  ///< for predict: the form of the molecules to predict
  bool describe = false;  ///< for domain and predict: add the properties of the molecules
};
std::string to_string(JobOrder::Task task);
std::string to_json(const JobOrder& order);
/// Parses an order. Throws InputError if the text is not an order.
JobOrder job_order_from(const std::string& json);
/// Reads an order from a file. Throws InputError if it is damaged, and Error if it cannot be read now.
JobOrder read_job_order(const std::filesystem::path& file);

/// A job encodes or judges a list of molecules, or explains a memory snapshot. It has its own folder:
///
///   job.json        the order
///   input.csv       the list, or input.smi, input.sdf, input.pickle
///   rows.ndjson     the finished rows of the result; rows.json has all rows and is written on request
///   result.*        the files that the command line writes
///   state.json      the final state, written when the job ends
///   checksums.xxh128 checksums of these files. The checksum of rows.ndjson is in state.json
///
/// A job counts as finished only when its result is on disk. The rows are written first, then state.json.
/// Results are checked when they are read.
///
/// Thread safety: every method may be called from any thread. One thread does the work.
class Job final : public GrowingFile {
 public:
  enum class State { waiting, running, done, failed, cancelled };
  struct Progress {
    std::string stage;  ///< "encode", "compare"
    std::size_t done = 0, total = 0;
    double per_second = 0;
  };

  /// Creates a new job. If an earlier process has left the files of this job in `folder`, restores its state
  /// from the files and does not change them. Throws InputError if the files are damaged, and Error if they
  /// cannot be read now.
  Job(std::string id, std::filesystem::path folder, JobOrder order);
  /// Destroys the work first, because it may still write rows.
  ~Job() override { work.reset(); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  const std::string& id() const { return id_; }
  const std::filesystem::path& folder() const { return folder_; }
  const JobOrder& order() const { return order_; }
  std::filesystem::path input() const { return folder_ / order_.input; }
  /// Replaces the path of the input in a text by the name that the client gave.
  std::string with_name_of_input(std::string text) const;
  /// The path of "result.csv" or another result in the folder.
  std::filesystem::path result(const char* extension) const {
    return folder_ / (std::string("result") + extension);
  }

  State status() const;
  bool is_finished() const;
  /// Returns an object with the fields "job", "state", "done", "total", "rate" and "error".
  Json json() const;
  /// The answer for a failed job. Call it only if the job is finished.
  Answer failure() const;
  std::string summary() const;
  /// Seconds since the job was finished. Changes of the system time have no effect.
  double age() const;
  /// Checks the rows of a finished job. Throws Refused with status 500 if rows.ndjson has changed since it
  /// was written. Reads the whole file.
  void require_intact_rows() const;

  void begin();
  void report(const Progress& progress);
  /// The number of rows in the file, including rows that an earlier process has written.
  std::size_t rows() const;
  void append_rows(const std::string& lines);
  /// Removes all rows, because the work starts again.
  void clear_rows();
  /// Finishes the job. `summary`: JSON such as {"counts": ...}. Throws Error if the result cannot be made
  /// durable.
  void finish(const std::string& summary);
  void fail(Answer why, State state = State::failed);
  /// Answers waiting requests with `why`. The job stays unfinished, and the next process continues it.
  void leave(Answer why);
  /// Calls `then` when the job is finished, or at once if it is already finished. May call `then` in any
  /// thread.
  void when_finished(std::function<void()> then);

  /// Returns up to `count` rows, starting with `first`, as {"rows": [...], "next": N}. Stops after about 16
  /// MiB. For a finished job, checks the rows like require_intact_rows().
  std::string slice(std::size_t first, std::size_t count) const;

  // GrowingFile: rows.ndjson.
  std::filesystem::path path() const override { return log_.file(); }
  GrowingFile::State state() const override;
  void wait(const GrowingFile::State& seen, std::function<void()> then) override;

  /// Set before the job is queued. Null for a finished job of an earlier process.
  std::shared_ptr<Work> work;

 private:
  void wake();
  void read_state();
  void write_state(Json json) const;
  void end(Answer why, State state);
  bool is_finished_locked() const { return state_ != State::waiting && state_ != State::running; }

  const std::string id_;
  const std::filesystem::path folder_;
  const JobOrder order_;
  mutable std::mutex mutex_;
  State state_ = State::waiting;
  Progress progress_;
  Answer failure_;
  std::string summary_ = "{}";
  RowLog log_;
  std::optional<RowLog::Seal> seal_;  ///< seal of a finished job
  Moment ended_;
  mutable std::string checked_;  ///< size and times of rows.ndjson when it was last found intact
  std::vector<std::function<void()>> waiting_for_rows_, waiting_for_end_;
};
std::string to_string(Job::State state);

}  // namespace molgauge::serve
