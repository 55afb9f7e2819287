#pragma once

#include <cstdint>
#include <string>

#include "molgauge/error.h"

namespace molgauge {

/// The work does not fit the memory budget, and the smallest sufficient budget is known.
class BudgetError : public Error {
 public:
  /// `reason`: a sentence without a full stop. `option`: the option of the budget.
  BudgetError(const std::string& reason, const std::string& option, std::uint64_t smallest_bytes)
      : Error(reason + ". The smallest sufficient budget is " + option + " " +
                  std::to_string((smallest_bytes + kMebibyte - 1) / kMebibyte) + "MiB",
              ExitCode::over_budget),
        reason_(reason),
        option_(option),
        smallest_bytes_(smallest_bytes) {}

  const std::string& reason() const { return reason_; }
  const std::string& option() const { return option_; }
  std::uint64_t smallest_bytes() const { return smallest_bytes_; }

 private:
  static constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  std::string reason_, option_;
  std::uint64_t smallest_bytes_;
};

}  // namespace molgauge
