#include "server/api.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/hash.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"
#include "base/core/text/hexadecimal.h"
#include "server/drawings.h"
#include "server/form.h"
#include "server/list_cost.h"
#include "server/orders.h"
#include "server/prediction_fields.h"
#include "server/property_answers.h"
#include "server/resources.h"
#include "server/results.h"

namespace molgauge::serve {
namespace {

const std::string kJobs = "/api/v1/jobs/";
/// Limits for the ratio of decompressed to compressed size. Gzip makes typical lists of molecules at most 20
/// times smaller. Lists with repetitions can become smaller still. DEFLATE makes data at most about 1,000
/// times smaller.
constexpr std::uint64_t kMaxRatioOfList = 100, kMaxRatio = 1100;
constexpr std::size_t kMaxDrawings = 256, kMaxLists = 256, kMaxFiles = 128, kMaxResults = 256;

/// The ID in /api/v1/jobs/ID and /api/v1/jobs/ID/result.
std::string job_id(const std::string& path) {
  constexpr std::string_view kResult = "/result";
  const std::string id = path.substr(kJobs.size());
  return id.ends_with(kResult) ? id.substr(0, id.size() - kResult.size()) : id;
}

}  // namespace

Lane::Lane(std::size_t max_waiting) : max_waiting_(max_waiting) {
  thread_ = std::thread([this] { work(); });
}

Lane::~Lane() { close(); }

bool Lane::add(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (closed_ || tasks_.size() >= max_waiting_) {
    return false;
  }
  tasks_.push_back(std::move(task));
  wake_.notify_one();
  return true;
}

void Lane::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) {
      return;
    }
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

void Lane::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    wake_.notify_one();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

Api::Api(Engine& engine, Session& session, const ServeRequest& request)
    : engine_(engine),
      request_(request),
      jobs_(request.work, request.keep_hours),
      models_(engine, request, jobs_.scratch().string()),
      tools_{engine_, request_, models_, metrics_, is_ending_},
      drawings_(kMaxDrawings),
      short_lists_(kMaxLists),
      files_(kMaxFiles),
      results_(kMaxResults),
      queue_(session, request.max_waiting, request.max_seconds) {
  for (const auto& job : jobs_.unfinished()) {
    log_info("job {} of an earlier process continues", job->id());
    give_work(job, tools_);
    queue_.add(job->work, WorkQueue::Length::large, /*is_known=*/true);
  }
}

Api::~Api() { close(std::chrono::seconds(0)); }

void Api::close(std::chrono::duration<double> patience) {
  queue_.close(patience);
  short_lists_.close();
  drawings_.close();
  files_.close();
  results_.close();  // closed last, because a job that ends still uses this lane to send its result
}

double Api::uptime_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

Answer Api::show_metrics(const Request& /*request*/) const {
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8",
          .body = metrics_.text(queue_.counts(), uptime_seconds())};
}

Answer Api::page(const Request& request) const {
  const std::string& path = request.path;
  std::string_view name = path == "/" ? std::string_view("index.html") : std::string_view(path);
  for (const std::string_view folder : {"/page/", "/api/v1/"}) {
    name.remove_prefix(name.starts_with(folder) ? folder.size() : 0);
  }
  const Resource* const file = find_resource(name);
  if (file == nullptr) {
    return no_such_address(path);
  }
  Answer answer{.content_type = std::string(serve::content_type_of(file->name)),
                .body = std::string(file->content)};
  answer.fields.emplace_back("ETag", '"' + to_hexadecimal(hash128(file->content)) + '"');
  answer.fields.emplace_back("Cache-Control", "no-cache");
  return answer;
}

Answer Api::health(const Request& /*request*/) const {
  const WorkQueue::Counts counts = queue_.counts();
  return {.body =
              json_line(Json{
                  {"status", "ok"},
                  {"version", MOLGAUGE_VERSION},
                  {"uptime_seconds", uptime_seconds()},
                  {"queue",
                   {{"running", counts.running}, {"waiting", counts.waiting}, {"limit", counts.limit}}}}) +
              "\n"};
}

Answer Api::list_models(const Request& /*request*/) const {
  Json models = Json::array();
  for (const Model& model : models_.all()) {
    Json json{{"name", model.name}, {"kind", to_string(model.kind)}, {"encoder", model.encoder}};
    json["training_molecules"] =
        model.training_molecules > 0 ? Json(model.training_molecules) : Json(nullptr);
    json["verdicts"] = model.kind == Model::Kind::domain
                           ? Json{"inside", "borderline", "outside", "unreadable"}
                       : model.judges() ? Json{"inside", "outside", "unreadable"}
                                        : Json::array();
    json["threshold"] = model.threshold ? Json(*model.threshold) : Json(nullptr);
    json["predictions"] = calibration_json(model.calibration);
    json["tasks"] = tasks_json(model);
    models.push_back(std::move(json));
  }
  Json encoders = Json::array();
  for (const EncoderInfo& encoder : models_.encoders()) {
    encoders.push_back(encoder.name);
  }
  return {.body = json_line(Json{{"models", models},
                                 {"encoders", encoders},
                                 {"limits",
                                  {{"body_bytes", request_.max_body_bytes},
                                   {"snapshot_bytes", request_.max_snapshot_bytes},
                                   {"molecules", request_.max_molecules},
                                   {"at_hand", kMaxAtHand}}}}) +
                  "\n"};
}

void Api::run_on(Lane& lane, std::function<void()> work, const Respond& respond) {
  const bool is_taken = lane.add([work = std::move(work), respond] {
    try {
      work();
    } catch (...) {
      respond(failure_answer());
    }
  });
  if (!is_taken) {
    respond(busy_answer());
  }
}

void Api::answer_on(Lane& lane, std::function<Answer()> work, const Respond& respond) {
  const bool is_taken = lane.add([work = std::move(work), respond] {
    Answer answer;
    try {
      answer = work();
    } catch (...) {
      answer = failure_answer();
    }
    respond(std::move(answer));
  });
  if (!is_taken) {
    respond(busy_answer());
  }
}

void Api::queue(std::function<Answer()> work, std::size_t cost, const Respond& respond) {
  struct Slot {
    std::shared_ptr<Work> work;
  };
  const auto slot = std::make_shared<Slot>();
  slot->work = std::make_shared<Work>(
      [slot, work = std::move(work), respond] {
        Answer answer;
        try {
          answer = work();
        } catch (...) {
          answer =
              slot->work->is_out_of_time()
                  ? error_answer(408, "limit", "this took longer than the server allows. Send a shorter list")
                  : failure_answer();
        }
        slot->work.reset();
        respond(std::move(answer));
        return Work::Outcome::done;
      },
      [slot, respond] {
        slot->work.reset();
        respond(busy_answer());
      },
      cost);
  if (!queue_.add(slot->work, WorkQueue::Length::small)) {
    slot->work.reset();
    respond(busy_answer());
  }
}

void Api::depict(const std::shared_ptr<const Request>& request, const Respond& respond) {
  answer_on(
      drawings_,
      [this, drawing = depict_request(*request), as_json = request->accept == "application/json"] {
        return drawing_answer(engine_, drawing, as_json);
      },
      respond);
}

std::shared_ptr<Body> Api::plain_body(const Request& request, const UnpackedLimits& limits) const {
  return unpacked(request.body, limits, [this] { return jobs_.upload_place(); });
}

void Api::list_of_molecules(const std::shared_ptr<const Request>& request, const Respond& respond) {
  const ListForm form = list_form(*request);
  content_type_of_form(wanted_form(*request));
  JobOrder order = order_of(*request, form, *route(request->path)->task, models_);
  const bool is_quick = request->body->is_in_memory() && !request->body->is_packed();
  run_on(
      is_quick ? short_lists_ : files_,
      [this, request, order = std::move(order), form, respond] { take_list(request, order, form, respond); },
      respond);
}

Answer Api::answer_at_hand(const JobOrder& order, const std::vector<ListedMolecule>& list,
                           const std::string& as) {
  Answer answer{.content_type = content_type_of_form(as)};
  if (order.task == JobOrder::Task::encode) {
    answer.body = encode_at_hand(order.encoder, list, as == "ndjson", tools_);
    return answer;
  }
  const Model& model = models_.find(order.model);
  const Json result = order.task == JobOrder::Task::predict
                          ? predict_at_hand(model, list, order.standardize, order.describe, tools_)
                          : judge_at_hand(model, list, order.predictions, order.describe, tools_);
  if (as == "json") {
    answer.body = json_line(result) + "\n";
  } else {
    for (const Json& row : result.at("rows")) {
      answer.body += json_line(row) + "\n";
    }
  }
  return answer;
}

void Api::take_list(const std::shared_ptr<const Request>& request, JobOrder order, ListForm form,
                    const Respond& respond) {
  const auto body = plain_body(*request, {.bytes = request_.max_body_bytes, .ratio = kMaxRatioOfList});
  const std::string as = wanted_form(*request);
  const bool may_be_at_once = (form == ListForm::lines || form == ListForm::json) &&
                              (as == "json" || as == "ndjson") && request->parameter("job") != "1";
  order.input = "input" + extension_of(form);
  auto list = std::make_shared<ReadList>(
      read_list(*body, form, order.smiles_column,
                {.max_molecules = request_.max_molecules, .max_kept = may_be_at_once ? kMaxAtHand : 0},
                order.name.empty() ? order.input : order.name, order.predictions));
  const std::size_t cost = cost_of(list->molecules);
  const bool is_readable = std::all_of(list->molecules.begin(), list->molecules.end(),
                                       [](const ListedMolecule& one) { return one.unreadable.empty(); });
  if (may_be_at_once && list->records <= kMaxAtHand && cost <= kMaxCostAtOnce && is_readable) {
    queue([this, order, list, as] { return answer_at_hand(order, list->molecules, as); }, cost, respond);
    return;
  }
  order.molecules = list->records;
  run_on(
      files_,
      [this, request, order, body, list, form, respond] {
        start(form == ListForm::json ? jobs_.create(order, list->molecules) : jobs_.create(order, *body),
              request, respond);
      },
      respond);
}

void Api::explain(const std::shared_ptr<const Request>& request, const Respond& respond) {
  run_on(
      files_,
      [this, request, respond] {
        const auto body = plain_body(*request, {.bytes = request_.max_snapshot_bytes, .ratio = kMaxRatio});
        start(jobs_.create(
                  {.task = JobOrder::Task::explain, .input = "input.pickle", .name = name_of_input(*request)},
                  *body),
              request, respond);
      },
      respond);
}

void Api::start(const std::shared_ptr<Job>& job, const std::shared_ptr<const Request>& request,
                const Respond& respond) {
  jobs_.remove_old();
  give_work(job, tools_);
  if (!queue_.add(job->work, WorkQueue::Length::large)) {
    jobs_.remove(job->id());
    respond(busy_answer());
    return;
  }
  if (request->parameter("job") == "1") {
    Answer answer{.status = 202, .body = json_line(Json{{"job", job->id()}}) + "\n"};
    answer.fields.emplace_back("Location", kJobs + job->id());
    respond(std::move(answer));
    return;
  }
  const std::string as = wanted_form(*request);
  if (as == "ndjson" && job->order().task != JobOrder::Task::explain) {
    respond({.content_type = content_type_of_form(as), .stream = job, .keeps = job});
    return;
  }
  result_of_job(job, request, respond);
}

void Api::result_of_job(const std::shared_ptr<Job>& job, const std::shared_ptr<const Request>& request,
                        const Respond& respond) {
  job->when_finished([this, job, request, respond] {
    answer_on(
        results_, [this, job, as = wanted_form(*request)] { return result_of(job, as, tools_); }, respond);
  });
}

void Api::job(const std::shared_ptr<const Request>& request, const Respond& respond) {
  const auto job = jobs_.find(job_id(request->path));
  if (job == nullptr) {
    respond(no_such_address(request->path));
  } else if (request->method != "DELETE") {
    respond({.body = json_line(job->json()) + "\n"});
  } else {
    answer_on(
        files_,
        [this, job] {
          if (job->is_finished()) {
            jobs_.remove(job->id());
          } else {
            queue_.cancel(job->work);
          }
          return Answer{.body = json_line(job->json()) + "\n"};
        },
        respond);
  }
}

void Api::result(const std::shared_ptr<const Request>& request, const Respond& respond) {
  const auto job = jobs_.find(job_id(request->path));
  if (job == nullptr) {
    respond(no_such_address(request->path));
  } else if (request->query.contains("from")) {
    constexpr std::uint64_t kMax = 10'000;
    const std::size_t first = request->number("from", 0, 0, std::uint64_t{1} << 40);
    const std::size_t count = request->number("count", 1000, 1, kMax);
    answer_on(
        results_, [job, first, count] { return Answer{.body = job->slice(first, count) + "\n"}; }, respond);
  } else if (!job->is_finished()) {
    respond(error_answer(404, "not_found",
                         "the job is not finished yet. Request its state, or finished rows with from=0"));
  } else {
    result_of_job(job, request, respond);
  }
}

void Api::form(const std::shared_ptr<const Request>& request, const Respond& respond) {
  const Query fields = decoded_form(request->body->text());
  const auto field = [&](const char* name) {
    const auto found = fields.find(name);
    return found == fields.end() ? std::string() : found->second;
  };
  const auto body = std::make_shared<Body>(field("smiles"));
  const std::string model = models_.find_for(/*judges=*/true, field("model")).name;
  run_on(
      short_lists_,
      [this, body, model, respond] {
        const auto list = std::make_shared<ReadList>(
            read_list(*body, ListForm::lines, "smiles",
                      {.max_molecules = request_.max_molecules, .max_kept = kMaxAtHand}, "smiles"));
        const std::size_t cost = cost_of(list->molecules);
        if (list->records > kMaxAtHand || cost > kMaxCostAtOnce) {
          throw UsageError(
              fmt::format("the form accepts 1 to {} molecules of usual size, one per line. Longer lists need "
                          "JavaScript or the API",
                          kMaxAtHand));
        }
        queue(
            [this, model, list] {
              return Answer{.content_type = "text/html; charset=utf-8",
                            .body = result_page(judge_at_hand(models_.find(model), list->molecules, {},
                                                              /*describe=*/false, tools_),
                                                tools_)};
            },
            cost, respond);
      },
      respond);
}

}  // namespace molgauge::serve
