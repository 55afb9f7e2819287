#include "server/exchange.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "base/options/json_request.h"
#include "base/options/spelled_options.h"
#include "molgauge/error.h"

namespace molgauge::serve {
namespace {

/// The options that clients set with a field of the same name.
constexpr std::array<std::string_view, 10> kFields = {"smiles_column",
                                                      "prediction_column",
                                                      "uncertainty_column",
                                                      "lower_column",
                                                      "upper_column",
                                                      "standardize",
                                                      "describe",
                                                      "model",
                                                      "encoder",
                                                      "name"};

/// Rewrites a message of the engine for clients, who have no command line. An option that is a field of
/// requests becomes this field. Any other option is one of the server: "--memory-budget" becomes "the
/// server's memory-budget".
std::string in_fields(std::string_view message) {
  return options::with_options_spelled(message, [](std::string_view option) {
    const std::string field = options::json_key(option);
    const bool is_field = std::find(kFields.begin(), kFields.end(), field) != kFields.end();
    return is_field ? field : "the server's " + std::string(option);
  });
}

}  // namespace

std::string Request::parameter(const std::string& name, const std::string& otherwise) const {
  const auto found = query.find(name);
  return found == query.end() ? otherwise : found->second;
}

std::uint64_t Request::number(const std::string& name, std::uint64_t otherwise, std::uint64_t least,
                              std::uint64_t most) const {
  const auto found = query.find(name);
  if (found == query.end()) {
    return otherwise;
  }
  const std::string& text = found->second;
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    throw UsageError(fmt::format("{}={}: a whole number from {} to {} is expected", name, text, least, most));
  }
  return value;
}

Answer error_answer(unsigned status, const std::string& kind, const std::string& message) {
  return {.status = status,
          .body = json_line(nlohmann::json{{"error", {{"message", message}, {"kind", kind}}}}) + "\n"};
}

Answer failure_answer() {
  try {
    throw;
  } catch (const Refused& refusal) {
    return refusal.answer();
  } catch (const Error& failure) {
    const std::string message = in_fields(failure.what());
    switch (failure.code()) {
      case ExitCode::wrong_usage:
        return error_answer(400, "usage", message);
      case ExitCode::input_refused:
        return error_answer(422, "input", message);
      case ExitCode::over_budget:
        return error_answer(507, "budget", message);
      case ExitCode::interrupted:
        return error_answer(503, "busy", message);
      default:
        return error_answer(500, "internal", message);
    }
  } catch (const std::bad_alloc&) {
    return error_answer(507, "budget", "out of memory. Send a shorter list");
  } catch (const std::exception& failure) {
    return error_answer(500, "internal", in_fields(failure.what()));
  } catch (...) {
    return error_answer(500, "internal", "unknown error. See the log of the server");
  }
}

Answer no_such_address(const std::string& path) {
  return error_answer(404, "not_found", path.substr(0, 200) + ": no such address");
}

Answer busy_answer() {
  Answer answer = error_answer(503, "busy", "this server has too many waiting requests. Try again later");
  answer.fields.emplace_back("Retry-After", "5");
  return answer;
}

}  // namespace molgauge::serve
