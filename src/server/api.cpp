#include "server/api.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/hash.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"
#include "base/core/text/hexadecimal.h"
#include "base/core/text/printable.h"
#include "server/form.h"
#include "server/list_cost.h"
#include "server/prediction_fields.h"
#include "server/property_answers.h"
#include "server/resources.h"
#include "server/results.h"

namespace molgauge::serve {
namespace {

const std::string kApi = "/api/v1/";
const std::string kJobs = "/api/v1/jobs/";
/// Limits for the ratio of decompressed to compressed size. Gzip makes typical lists of molecules at most 20
/// times smaller. Lists with repetitions can become smaller still. DEFLATE makes data at most about 1,000
/// times smaller.
constexpr std::uint64_t kMaxRatioOfList = 100, kMaxRatio = 1100;
constexpr std::size_t kMaxDrawings = 256, kMaxLists = 256, kMaxFiles = 128, kMaxResults = 256;

Answer not_found(const std::string& path) {
  return error_answer(404, "not_found", path.substr(0, 200) + ": no such address");
}

Answer wrong_method(const char* allowed) {
  Answer answer = error_answer(405, "usage", std::string("this address accepts ") + allowed);
  answer.fields.emplace_back("Allow", allowed);
  return answer;
}

bool is_list_route(const std::string& path) {
  return path == kApi + "domain" || path == kApi + "score" || path == kApi + "encode" ||
         path == kApi + "predict";
}

std::vector<std::size_t> atoms_in(const std::string& text) {
  std::vector<std::size_t> atoms;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::size_t atom = 0;
    const auto [next, problem] = std::from_chars(at, end, atom);
    if (problem != std::errc() || (next < end && *next != ',')) {
      throw UsageError("atoms=" + text.substr(0, 100) + ": is not a list of numbers separated by commas");
    }
    atoms.push_back(atom);
    at = next + 1;
  }
  return atoms;
}

/// Returns a side of a drawing in pixels. A conversion of a larger number to int would give another number.
int side_in(const nlohmann::json& json, const char* name, int otherwise) {
  const auto found = json.find(name);
  if (found == json.end()) {
    return otherwise;
  }
  if (!found->is_number_integer() || *found < 16 || *found > 2000) {
    throw UsageError(
        fmt::format("{}={}: a whole number from 16 to 2000 is expected", name, json_line(*found)));
  }
  return found->get<int>();
}

DepictRequest depict_request(const Request& request) {
  if (request.body == nullptr) {
    return {.smiles = request.parameter("smiles"),
            .width = static_cast<int>(request.number("width", 240, 16, 2000)),
            .height = static_cast<int>(request.number("height", 180, 16, 2000)),
            .atoms = atoms_in(request.parameter("atoms"))};
  }
  try {
    const auto json = parse_json(request.body->text());
    return {.smiles = json.at("smiles"),
            .width = side_in(json, "width", 240),
            .height = side_in(json, "height", 180),
            .atoms = json.value("atoms", std::vector<std::size_t>())};
  } catch (const nlohmann::json::exception& problem) {
    throw InputError("the request in JSON: " + json_problem(problem));
  }
}

/// Adds the XML namespace. A drawing within a page inherits it, but a separate file needs it.
std::string as_svg_file(const std::string& element) {
  const std::string begin = "<svg ";
  return element.starts_with(begin)
             ? begin + "xmlns=\"http://www.w3.org/2000/svg\" " + element.substr(begin.size())
             : element;
}

/// For pages on which users type SMILES. The answer is {"svg", "reason"}. If the SMILES is valid, the reason
/// is empty. Otherwise the drawing is null.
Answer drawing_or_reason(Engine& engine, const DepictRequest& drawing) {
  Json json{{"svg", nullptr}, {"reason", ""}};
  try {
    json["svg"] = as_svg_file(engine.depict(drawing));
  } catch (const InputError& problem) {
    json["reason"] = problem.what();
  }
  return {.body = json_line(json) + "\n"};
}

/// The name of the uploaded file, from the parameter `name`. Keeps only the last part of a path, and only
/// characters that need no escapes in JSON and HTML.
std::string name_of_input(const Request& request) {
  std::string name = request.parameter("name");
  name = printable(name.substr(name.find_last_of("/\\") + 1).substr(0, 200));
  std::ranges::replace_if(
      name,
      [](char character) { return std::string_view("\"\\<>&'").find(character) != std::string_view::npos; },
      '_');
  return name;
}

JobOrder::Task task_of(const std::string& path) {
  return path == kApi + "encode"    ? JobOrder::Task::encode
         : path == kApi + "score"   ? JobOrder::Task::score
         : path == kApi + "predict" ? JobOrder::Task::predict
                                    : JobOrder::Task::domain;
}

/// Returns whether the properties of the molecules are requested.
bool describes(const Request& request, const JobOrder::Task task) {
  const std::string word = request.parameter("describe");
  if (word.empty() || word == "false") {
    return false;
  }
  if (word != "true") {
    throw UsageError(fmt::format("describe={}: give true or false", word));
  }
  if (task != JobOrder::Task::domain && task != JobOrder::Task::predict) {
    throw UsageError("describe=true: has an effect only on domain and predict. Leave it out");
  }
  return true;
}

/// Returns the form of the molecules to predict. Throws UsageError if the request names an unknown form, or
/// if it names a form but does not ask for predictions.
Standardize form_to_predict(const Request& request, JobOrder::Task task) {
  const std::string word = request.parameter("standardize");
  if (word.empty()) {
    return Standardize::none;
  }
  if (task != JobOrder::Task::predict) {
    throw UsageError(fmt::format("standardize={}: has an effect only on predict. Leave it out", word));
  }
  const auto form = from_word<Standardize>(word);
  if (!form) {
    throw UsageError(
        fmt::format("standardize={}: is not a form of molecules. Give none, parent or tautomer", word));
  }
  return *form;
}

}  // namespace

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

std::optional<std::uint64_t> Api::body_limit(const std::string& method, const std::string& path) const {
  if (method != "POST") {
    return std::nullopt;
  }
  return path == kApi + "explain" ? request_.max_snapshot_bytes
         : is_list_route(path)    ? request_.max_body_bytes
                                  : kMaxInMemory;
}

std::string Api::route_of(const std::string& path) const {
  if (path.starts_with(kJobs)) {
    return path.ends_with("/result") ? kJobs + "ID/result" : kJobs + "ID";
  }
  if (path.starts_with("/page/")) {
    return "/page/";
  }
  for (const char* const known : {"health", "models", "depict", "explain", "encode", "domain", "score",
                                  "predict", "metrics", "openapi.json"}) {
    if (path == kApi + known) {
      return path;
    }
  }
  return path == "/" || path == "/form" || path == "/metrics" ? path : "other";
}

void Api::handle(const std::shared_ptr<const Request>& request, const Respond& respond) {
  try {
    const std::string& path = request->path;
    const bool is_post = request->method == "POST";
    if (path.starts_with(kJobs)) {
      about_job(request, respond);
    } else if (path == kApi + "depict") {
      request->method == "DELETE" ? respond(wrong_method("GET, POST")) : depict(request, respond);
    } else if (is_list_route(path)) {
      is_post ? list_of_molecules(request, respond) : respond(wrong_method("POST"));
    } else if (path == kApi + "explain") {
      is_post ? explain(request, respond) : respond(wrong_method("POST"));
    } else if (path == "/form") {
      is_post ? form(request, respond) : respond(wrong_method("POST"));
    } else {
      respond(answer_at_once(*request));
    }
  } catch (...) {
    respond(failure_answer());
  }
}

Answer Api::answer_at_once(const Request& request) {
  const std::string& path = request.path;
  Answer answer =
      path == "/" || path.starts_with("/page/") ? page(path)
      : path == kApi + "health"                 ? health()
      : path == kApi + "models"                 ? list_models()
      : path == "/metrics" || path == kApi + "metrics"
          ? Answer{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                   .body = metrics_.text(
                       queue_.counts(),
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count())}
      : path == kApi + "openapi.json" ? page("/page/openapi.json")
                                      : not_found(path);
  return answer.status == 200 && request.method != "GET" && request.method != "HEAD" ? wrong_method("GET")
                                                                                     : answer;
}

Answer Api::page(const std::string& path) const {
  const Resource* const file = find_resource(
      path == "/" ? "index.html" : std::string_view(path).substr(std::string_view("/page/").size()));
  if (file == nullptr) {
    return not_found(path);
  }
  Answer answer{.content_type = std::string(serve::content_type_of(file->name)),
                .body = std::string(file->content)};
  answer.fields.emplace_back("ETag", '"' + to_hexadecimal(hash128(file->content)) + '"');
  answer.fields.emplace_back("Cache-Control", "no-cache");
  return answer;
}

Answer Api::health() const {
  const WorkQueue::Counts counts = queue_.counts();
  return {.body =
              json_line(Json{
                  {"status", "ok"},
                  {"version", MOLGAUGE_VERSION},
                  {"uptime_seconds",
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count()},
                  {"queue",
                   {{"running", counts.running}, {"waiting", counts.waiting}, {"limit", counts.limit}}}}) +
              "\n"};
}

Answer Api::list_models() const {
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
        if (as_json) {
          return drawing_or_reason(engine_, drawing);
        }
        Answer answer{.content_type = "image/svg+xml", .body = as_svg_file(engine_.depict(drawing))};
        answer.fields.emplace_back("Cache-Control", "private, max-age=3600");
        return answer;
      },
      respond);
}

JobOrder Api::order_of(const Request& request, ListForm form) const {
  JobOrder order{.task = task_of(request.path),
                 .name = name_of_input(request),
                 .smiles_column = request.parameter("smiles_column", "smiles")};
  order.standardize = form_to_predict(request, order.task);
  order.describe = describes(request, order.task);
  const PredictionFields fields = prediction_fields(request);
  if (order.task == JobOrder::Task::encode) {
    order.encoder = models_.encoder_named(request.parameter("encoder"));
    if (!fields.empty()) {
      throw UsageError(
          fmt::format("prediction_column={}: has no effect on encode. Leave it out", fields.prediction));
    }
    if (form == ListForm::sdf) {
      throw UsageError("encode takes SMILES: text/plain, text/csv or application/json");
    }
    return order;
  }
  const Model& model = models_.find_for(order.task != JobOrder::Task::predict, request.parameter("model"));
  if (order.task == JobOrder::Task::predict) {
    order.model = model.name;
    if (!fields.empty()) {
      throw UsageError(
          fmt::format("prediction_column={}: has no effect on predict. Leave it out", fields.prediction));
    }
    return order;
  }
  const bool asks_for_domain = order.task == JobOrder::Task::domain;
  // A request to /api/v1/score may name a saved domain. The job then gives the verdicts of `domain`.
  order.task = model.kind == Model::Kind::domain ? JobOrder::Task::domain : JobOrder::Task::score;
  if (asks_for_domain && order.task != JobOrder::Task::domain) {
    throw UsageError("model=" + model.name + ": is a run. Use /api/v1/score");
  }
  order.model = model.name;
  if (!fields.empty()) {
    require_calibration(fields, model, form);
    order.predictions = with_names_of(*model.calibration, fields);
  }
  return order;
}

std::shared_ptr<Body> Api::plain_body(const Request& request, const UnpackedLimits& limits) const {
  return unpacked(request.body, limits, [this] { return jobs_.upload_place(); });
}

void Api::list_of_molecules(const std::shared_ptr<const Request>& request, const Respond& respond) {
  const ListForm form = list_form(*request);
  content_type_of_form(wanted_form(*request));
  JobOrder order = order_of(*request, form);
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

void Api::about_job(const std::shared_ptr<const Request>& request, const Respond& respond) {
  std::string id = request->path.substr(kJobs.size());
  const bool is_result = id.ends_with("/result");
  id = is_result ? id.substr(0, id.size() - std::string_view("/result").size()) : id;
  const auto job = jobs_.find(id);
  if (job == nullptr) {
    respond(not_found(request->path));
    return;
  }
  if (request->method == "DELETE" && !is_result) {
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
  } else if (request->method != "GET") {
    respond(wrong_method(is_result ? "GET" : "GET, DELETE"));
  } else if (!is_result) {
    respond({.body = json_line(job->json()) + "\n"});
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
