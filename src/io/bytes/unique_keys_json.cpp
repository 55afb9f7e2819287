#include "io/bytes/unique_keys_json.h"

#include <set>
#include <vector>

#include "core/error.h"
#include "core/json_reader.h"

namespace headroom::io {

nlohmann::json parse_json_with_unique_keys(std::string_view text, const std::string& what) {
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> open_objects;
  const auto watch_keys = [&](int, Event event, nlohmann::json& value) {
    if (event == Event::object_start) {
      open_objects.emplace_back();
    } else if (event == Event::object_end) {
      open_objects.pop_back();
    } else if (event == Event::key && !open_objects.back().insert(value.get<std::string>()).second) {
      throw InputError(what + ": has the key \"" + value.get<std::string>() +
                       "\" twice; the file is damaged");
    }
    return true;
  };
  try {
    require_shallow_json(text);
    return nlohmann::json::parse(text, watch_keys);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(what + ": " + json_problem(error));
  }
}

}  // namespace headroom::io
