// The addresses of the server, with their methods and handlers.

#include <algorithm>

#include <fmt/format.h>

#include "server/api.h"
#include "server/body.h"

namespace molgauge::serve {
namespace {

Answer wrong_method(std::string_view allowed) {
  Answer answer = error_answer(405, "usage", fmt::format("this address accepts {}", allowed));
  answer.fields.emplace_back("Allow", allowed);
  return answer;
}

/// Whether the path has the pattern. "ID" in a pattern stands for any text, and a pattern that ends with a
/// slash for all paths that begin with it.
bool matches(std::string_view pattern, std::string_view path) {
  constexpr std::string_view kId = "ID";
  if (const std::size_t id = pattern.find(kId); id != std::string_view::npos) {
    return path.starts_with(pattern.substr(0, id)) && path.ends_with(pattern.substr(id + kId.size()));
  }
  return pattern.size() > 1 && pattern.ends_with('/') ? path.starts_with(pattern) : path == pattern;
}

bool is_allowed(std::string_view methods, const std::string& method) {
  return methods.find(method == "HEAD" ? "GET" : method) != std::string_view::npos;
}

}  // namespace

const Api::Route* Api::route(std::string_view path) {
  using Task = JobOrder::Task;
  static constexpr Route kRoutes[] = {
      {"/", "GET", &Api::at_once<&Api::page>},
      {"/page/", "GET", &Api::at_once<&Api::page>},
      {"/form", "POST", &Api::form},
      {"/metrics", "GET", &Api::at_once<&Api::show_metrics>},
      {"/api/v1/metrics", "GET", &Api::at_once<&Api::show_metrics>},
      {"/api/v1/health", "GET", &Api::at_once<&Api::health>},
      {"/api/v1/models", "GET", &Api::at_once<&Api::list_models>},
      {"/api/v1/openapi.json", "GET", &Api::at_once<&Api::page>},
      {"/api/v1/depict", "GET, POST", &Api::depict},
      {"/api/v1/domain", "POST", &Api::list_of_molecules, &ServeRequest::max_body_bytes, Task::domain},
      {"/api/v1/score", "POST", &Api::list_of_molecules, &ServeRequest::max_body_bytes, Task::score},
      {"/api/v1/encode", "POST", &Api::list_of_molecules, &ServeRequest::max_body_bytes, Task::encode},
      {"/api/v1/predict", "POST", &Api::list_of_molecules, &ServeRequest::max_body_bytes, Task::predict},
      {"/api/v1/explain", "POST", &Api::explain, &ServeRequest::max_snapshot_bytes, Task::explain},
      {"/api/v1/jobs/ID/result", "GET", &Api::result},
      {"/api/v1/jobs/ID", "GET, DELETE", &Api::job},
  };
  const auto found = std::ranges::find_if(kRoutes, [&](const Route& row) { return matches(row.path, path); });
  return found == std::end(kRoutes) ? nullptr : found;
}

std::optional<std::uint64_t> Api::body_limit(const std::string& method, const std::string& path) const {
  if (method != "POST") {
    return std::nullopt;
  }
  const Route* const found = route(path);
  return found == nullptr || found->max_body == nullptr ? kMaxInMemory : request_.*found->max_body;
}

std::string Api::route_of(const std::string& path) {
  const Route* const found = route(path);
  return found == nullptr ? "other" : std::string(found->path);
}

void Api::handle(const std::shared_ptr<const Request>& request, const Respond& respond) {
  const Route* const found = route(request->path);
  if (found == nullptr) {
    respond(no_such_address(request->path));
  } else if (!is_allowed(found->methods, request->method)) {
    respond(wrong_method(found->methods));
  } else {
    try {
      (this->*found->answer)(request, respond);
    } catch (...) {
      respond(failure_answer());
    }
  }
}

}  // namespace molgauge::serve
