#include "server/exchange.h"

#include <charconv>
#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "molgauge/error.h"
#include "server/api_words.h"

namespace molgauge::serve {

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
    const std::string message = in_api_words(failure.what());
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
    return error_answer(500, "internal", in_api_words(failure.what()));
  } catch (...) {
    return error_answer(500, "internal", "unknown error. See the log of the server");
  }
}

Answer busy_answer() {
  Answer answer = error_answer(503, "busy", "this server has too many waiting requests. Try again later");
  answer.fields.emplace_back("Retry-After", "5");
  return answer;
}

}  // namespace molgauge::serve
