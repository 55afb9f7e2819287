#include "server/drawings.h"

#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "server/rows.h"

namespace molgauge::serve {
namespace {

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

/// Adds the XML namespace. A drawing within a page inherits it, but a separate file needs it.
std::string as_svg_file(const std::string& element) {
  const std::string begin = "<svg ";
  return element.starts_with(begin)
             ? begin + "xmlns=\"http://www.w3.org/2000/svg\" " + element.substr(begin.size())
             : element;
}

Answer drawing_or_reason(Engine& engine, const DepictRequest& drawing) {
  Json json{{"svg", nullptr}, {"reason", ""}};
  try {
    json["svg"] = as_svg_file(engine.depict(drawing));
  } catch (const InputError& problem) {
    json["reason"] = problem.what();
  }
  return {.body = json_line(json) + "\n"};
}

}  // namespace

DepictRequest depict_request(const Request& request) {
  if (request.body == nullptr) {
    return {.smiles = request.parameter("smiles"),
            .width = static_cast<int>(request.number("width", 240, 16, 2000)),
            .height = static_cast<int>(request.number("height", 180, 16, 2000)),
            .atoms = atoms_in(request.parameter("atoms")),
            .alert = request.parameter("alert")};
  }
  try {
    const auto json = parse_json(request.body->text());
    return {.smiles = json.at("smiles"),
            .width = side_in(json, "width", 240),
            .height = side_in(json, "height", 180),
            .atoms = json.value("atoms", std::vector<std::size_t>()),
            .alert = json.value("alert", "")};
  } catch (const nlohmann::json::exception& problem) {
    throw InputError("the request in JSON: " + json_problem(problem));
  }
}

Answer drawing_answer(Engine& engine, const DepictRequest& drawing, bool as_json) {
  if (as_json) {
    return drawing_or_reason(engine, drawing);
  }
  Answer answer{.content_type = "image/svg+xml", .body = as_svg_file(engine.depict(drawing))};
  answer.fields.emplace_back("Cache-Control", "private, max-age=3600");
  return answer;
}

}  // namespace molgauge::serve
