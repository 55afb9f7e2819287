#include "molecules/verbs/baseline/baseline_loader.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/session/log.h"
#include "base/core/text/nearest_name.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "molecules/baselines/run/baseline_run.h"
#include "molecules/baselines/run/request_options.h"
#include "molecules/baselines/run/stored_detector.h"

namespace molgauge::verbs {
namespace {

/// Number of rows that a thread scores at once. The scores do not depend on it.
constexpr std::size_t kRowsAtOnce = 64;

std::string method_of(const std::string& run, const std::string& asked) {
  const std::vector<std::string> methods = baselines::finished_methods(run);
  if (methods.empty()) {
    throw InputError(run + ": contains no finished method. Run the same 'molgauge baseline' to resume it");
  }
  if (asked.empty() && methods.size() > 1) {
    throw UsageError(fmt::format("{}: contains several methods. Choose one with --method: {}", run,
                                 fmt::join(methods, ", ")));
  }
  if (!asked.empty() && std::find(methods.begin(), methods.end(), asked) == methods.end()) {
    throw UsageError(fmt::format("{}: contains no method '{}'. Available: {}{}", run, asked,
                                 fmt::join(methods, ", "), did_you_mean(asked, methods)));
  }
  return asked.empty() ? methods.front() : asked;
}

/// Returns the bytes needed to score a batch, measured with a batch of zeros.
std::uint64_t bytes_of_batch(const baselines::Detector& detector, std::int64_t width) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const at::Tensor rows = at::zeros({static_cast<std::int64_t>(kRowsAtOnce), width});
  const std::uint64_t before = meter.allocated_bytes();
  meter.reset_peak();
  detector.score(rows, {kRowsAtOnce, /*threads=*/1});
  return meter.peak_bytes() - before;
}

}  // namespace

session::StoredBaseline load_baseline(const std::string& run, const std::string& method,
                                      std::size_t threads) {
  note_missing_checksums(run);
  const baselines::BaselineConfig config = baselines::read_config(run);
  session::StoredBaseline baseline;
  baseline.method = method_of(run, method);
  baseline.encoder = config.request.encoder;
  baseline.features = config.request.features;
  baseline.precision = config.request.compute.precision;
  baseline.placement = config.request.placement;
  baseline.encoder_identity = config.encoder_identity;
  baseline.batch_size = kRowsAtOnce;
  auto stored = std::make_shared<baselines::StoredDetector>(
      baselines::read_detector(run, baseline.method, baselines::method_options(config.request)));
  baseline.feature_width = static_cast<std::size_t>(stored->feature_width);
  baseline.held_out = stored->held_out;
  baseline.bytes_of_batch = bytes_of_batch(*stored->detector, stored->feature_width);
  baseline.score = [stored, threads](const ops::Floats& features) {
    return stored->detector->score(torch::as_tensor(features), {kRowsAtOnce, threads});
  };
  return baseline;
}

}  // namespace molgauge::verbs
