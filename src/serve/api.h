#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/thread_pool.hpp>

#include "headroom/engine.h"
#include "headroom/serve.h"
#include "serve/at_hand_answers.h"
#include "serve/exchange.h"
#include "serve/job_store.h"
#include "serve/metrics.h"
#include "serve/models.h"
#include "serve/work_queue.h"

namespace headroom::serve {

/// The routes: what a request is answered with.
///
/// Thread safety: every method may be called from any thread.
class Api {
 public:
  /// Opens the models and goes on with the jobs that an earlier process has not finished. Throws the errors
  /// of Models and JobStore. `request.work` names the folder.
  Api(Engine& engine, Session& session, const ServeRequest& request);
  ~Api();

  /// The largest body that a request may have; nothing where it has none.
  std::optional<std::uint64_t> body_limit(const std::string& method, const std::string& path) const;
  /// The route of a path for counting: "/api/v1/jobs/ID".
  std::string route_of(const std::string& path) const;
  void handle(const std::shared_ptr<const Request>& request, const Respond& respond);

  /// Lets the work that runs come to its end; what waits is answered with 503, jobs stay for the next
  /// process.
  void close();

  JobStore& jobs() { return jobs_; }
  Metrics& metrics() { return metrics_; }
  const Models& models() const { return models_; }

 private:
  Answer answer_at_once(const Request& request);
  Answer page(const std::string& path) const;
  Answer health() const;
  Answer list_models() const;
  void depict(const std::shared_ptr<const Request>& request, const Respond& respond);
  void list_of_molecules(const std::shared_ptr<const Request>& request, const Respond& respond);
  void explain(const std::shared_ptr<const Request>& request, const Respond& respond);
  void form(const std::shared_ptr<const Request>& request, const Respond& respond);
  void about_job(const std::shared_ptr<const Request>& request, const Respond& respond);
  void result_of_job(const std::shared_ptr<Job>& job, const std::shared_ptr<const Request>& request,
                     const Respond& respond);
  /// Queues the job and answers: with its number where `job=1`, else with its result once it is done.
  void start(const std::shared_ptr<Job>& job, const std::shared_ptr<const Request>& request,
             const Respond& respond);
  /// Queues small work whose result is the answer.
  void queue(std::function<Answer()> work, const Respond& respond);
  /// Runs it beside the engine, on a thread for drawings and files.
  void aside(std::function<Answer()> work, const Respond& respond);

  Engine& engine_;
  const ServeRequest request_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  JobStore jobs_;
  Models models_;
  Metrics metrics_;
  Tools tools_;
  std::atomic<std::size_t> drawings_ = 0;
  boost::asio::thread_pool aside_{1};
  WorkQueue queue_;
};

}  // namespace headroom::serve
