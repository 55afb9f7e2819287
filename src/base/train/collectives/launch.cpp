#include "base/train/collectives/launch.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::train {
namespace {

constexpr std::size_t kMaxProcesses = 4096;

const char* variable(const char* name) {
  const char* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

std::size_t number(const char* name, std::size_t least, std::size_t most) {
  const char* const text = variable(name);
  if (text == nullptr) {
    throw UsageError(fmt::format(
        "the environment has RANK or WORLD_SIZE, but no {}: a training of several processes needs RANK, "
        "WORLD_SIZE, MASTER_ADDR and MASTER_PORT in each. Unset RANK and WORLD_SIZE to train in one process",
        name));
  }
  const std::string_view digits(text);
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || end != digits.data() + digits.size() || value < least || value > most) {
    throw UsageError(fmt::format("{}={} in the environment: must be a whole number from {} to {}", name, text,
                                 least, most));
  }
  return value;
}

}  // namespace

std::optional<Launch> launch_of_environment() {
  if (variable("RANK") == nullptr && variable("WORLD_SIZE") == nullptr) {
    return {};
  }
  Launch launch;
  launch.processes = number("WORLD_SIZE", 1, kMaxProcesses);
  launch.rank = number("RANK", 0, launch.processes - 1);
  if (launch.processes == 1) {
    return {};
  }
  if (variable("TORCHELASTIC_USE_AGENT_STORE") != nullptr &&
      std::string_view(variable("TORCHELASTIC_USE_AGENT_STORE")) == "True") {
    throw UsageError(
        "torchrun listens at MASTER_PORT itself. Set TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1 and use "
        "--standalone or --rdzv-backend c10d, so that it leaves the port to the training");
  }
  launch.port =
      static_cast<std::uint16_t>(number("MASTER_PORT", 1, std::numeric_limits<std::uint16_t>::max()));
  const char* const address = variable("MASTER_ADDR");
  if (address == nullptr) {
    throw UsageError("MASTER_ADDR is not in the environment: it names the machine of process 0");
  }
  launch.address = address;
  if (variable("LOCAL_WORLD_SIZE") != nullptr) {
    launch.local_processes = number("LOCAL_WORLD_SIZE", 1, launch.processes);
  }
  if (variable("LOCAL_RANK") != nullptr) {
    launch.local_rank = number("LOCAL_RANK", 0, launch.processes - 1);
  }
  return launch;
}

}  // namespace molgauge::train
