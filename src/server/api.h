#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "molgauge/engine.h"
#include "molgauge/serve.h"
#include "server/exchange.h"
#include "server/in_memory_answers.h"
#include "server/job_store.h"
#include "server/metrics.h"
#include "server/models.h"
#include "server/molecule_lists.h"
#include "server/unpacking.h"
#include "server/work_queue.h"

namespace molgauge::serve {

/// A thread that runs tasks one after another, for work that must not delay connections: files and drawings.
///
/// Thread safety: every method may be called from any thread.
class Lane {
 public:
  /// `max_waiting`: maximum number of waiting tasks.
  explicit Lane(std::size_t max_waiting);
  /// Calls close().
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Returns false if the maximum number of tasks is waiting or the lane is closed. A task must not throw.
  bool add(std::function<void()> task);
  /// Accepts no more tasks, and waits until the accepted tasks have finished.
  void close();

 private:
  void work();

  const std::size_t max_waiting_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool closed_ = false;
  std::thread thread_;
};

/// The routes of the API and their answers.
///
/// The thread of the connections calls handle(), which returns at once. This thread never waits for the
/// engine, and never reads or writes files. Lanes read lists, create jobs and write results.
/// The engine computes in the thread of the queue.
///
/// Thread safety: every method may be called from any thread.
class Api {
 public:
  /// Opens the models and continues the unfinished jobs of an earlier process. Throws the errors of Models
  /// and JobStore. `request.work` is the work folder.
  Api(Engine& engine, Session& session, const ServeRequest& request);
  ~Api();

  /// Returns the maximum size of a request body, or nothing if the request must not have a body.
  std::optional<std::uint64_t> body_limit(const std::string& method, const std::string& path) const;
  /// The route of a path, for the metrics: "/api/v1/jobs/ID".
  static std::string route_of(const std::string& path);
  void handle(const std::shared_ptr<const Request>& request, const Respond& respond);

  /// Waits up to `patience` for running work, and sends the answer of this work. Waiting requests get the
  /// answer 503. The next server process continues unfinished jobs.
  void close(std::chrono::duration<double> patience);
  /// Stops long loops over results. close() returns soon afterwards.
  void hurry() { is_ending_ = true; }

  JobStore& jobs() { return jobs_; }
  Metrics& metrics() { return metrics_; }
  const Models& models() const { return models_; }

 private:
  using Handler = void (Api::*)(const std::shared_ptr<const Request>&, const Respond&);
  /// An address of the server. HEAD is allowed where GET is.
  struct Route {
    std::string_view path;     ///< "ID" stands for any text. "/page/" also stands for the paths below it
    std::string_view methods;  ///< as in the field Allow
    Handler answer;
    std::uint64_t ServeRequest::*max_body = nullptr;  ///< null for a small body, which stays in memory
    std::optional<JobOrder::Task> task = std::nullopt;
  };
  /// Returns the route of a path, or null.
  static const Route* route(std::string_view path);

  template <Answer (Api::*answer)(const Request&) const>
  void at_once(const std::shared_ptr<const Request>& request, const Respond& respond) {
    respond((this->*answer)(*request));
  }

  Answer page(const Request& request) const;
  Answer health(const Request& request) const;
  Answer list_models(const Request& request) const;
  Answer show_metrics(const Request& request) const;
  double uptime_seconds() const;
  void depict(const std::shared_ptr<const Request>& request, const Respond& respond);
  void list_of_molecules(const std::shared_ptr<const Request>& request, const Respond& respond);
  /// Reads the list, and queues it as small work or as a job. Runs in the thread of a lane.
  void take_list(const std::shared_ptr<const Request>& request, JobOrder order, ListForm form,
                 const Respond& respond);
  Answer answer_at_hand(const JobOrder& order, const std::vector<ListedMolecule>& list,
                        const std::string& as);
  void explain(const std::shared_ptr<const Request>& request, const Respond& respond);
  void form(const std::shared_ptr<const Request>& request, const Respond& respond);
  void job(const std::shared_ptr<const Request>& request, const Respond& respond);
  void result(const std::shared_ptr<const Request>& request, const Respond& respond);
  void result_of_job(const std::shared_ptr<Job>& job, const std::shared_ptr<const Request>& request,
                     const Respond& respond);
  /// Queues the job. If the request has `job=1`, answers with the job ID. Otherwise answers with the result
  /// when the job is finished. Runs in the thread of a lane.
  void start(const std::shared_ptr<Job>& job, const std::shared_ptr<const Request>& request,
             const Respond& respond);
  /// Queues small work and answers with its result.
  void queue(std::function<Answer()> work, std::size_t cost, const Respond& respond);
  /// Runs work on a lane and sends its answer.
  void answer_on(Lane& lane, std::function<Answer()> work, const Respond& respond);
  /// Runs work on a lane. The work itself sends the answer. If the work throws, sends the error.
  void run_on(Lane& lane, std::function<void()> work, const Respond& respond);
  /// Unpacks a body within the limit. Runs in the thread of a lane.
  std::shared_ptr<Body> plain_body(const Request& request, const UnpackedLimits& limits) const;

  Engine& engine_;
  const ServeRequest request_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  JobStore jobs_;
  Models models_;
  Metrics metrics_;
  std::atomic<bool> is_ending_ = false;
  Tools tools_;
  Lane drawings_;     ///< drawings of molecules
  Lane short_lists_;  ///< lists in memory, which do not wait for files
  Lane files_;        ///< long lists and jobs
  Lane results_;      ///< results of jobs
  WorkQueue queue_;
};

}  // namespace molgauge::serve
