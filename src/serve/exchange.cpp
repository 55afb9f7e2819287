#include "serve/exchange.h"

#include <charconv>
#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/json_text.h"
#include "headroom/error.h"

namespace headroom::serve {

std::uint64_t SpooledBody::bytes() const { return std::filesystem::file_size(path_); }

std::string SpooledBody::text() const { return read_file(path_); }

void SpooledBody::move_to(const std::filesystem::path& place) {
  std::filesystem::rename(path_, place);
  path_.clear();
}

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
  } catch (const Error& failure) {
    switch (failure.code()) {
      case ExitCode::wrong_usage:
        return error_answer(400, "usage", failure.what());
      case ExitCode::input_refused:
        return error_answer(422, "input", failure.what());
      case ExitCode::over_budget:
        return error_answer(507, "budget", failure.what());
      case ExitCode::interrupted:
        return error_answer(503, "busy", failure.what());
      default:
        return error_answer(500, "internal", failure.what());
    }
  } catch (const std::bad_alloc&) {
    return error_answer(507, "budget", "out of memory; send a shorter list");
  } catch (const std::exception& failure) {
    return error_answer(500, "internal", failure.what());
  }
}

}  // namespace headroom::serve
