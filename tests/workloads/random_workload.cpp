#include "workloads/random_workload.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/core/text/duration.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "workloads/attention_workload.h"
#include "workloads/message_workload.h"
#include "workloads/product_workloads.h"

namespace molgauge::workloads {
namespace {

using memory::ItemSize;

constexpr double kMebibyte = 1 << 20;
constexpr double kMinBytes = 64 * kMebibyte;
/// Large budgets take long to fill, so only an eighth of the workloads has them.
constexpr double kLarge = 512 * kMebibyte, kLargeShare = 1.0 / 8;
/// Share of workloads that may choose bf16. Probing bf16 is slow on processors without bf16 instructions.
constexpr double kEveryPrecisionShare = 0.1;

/// Draws that are equal with every standard library.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : bits_(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(bits_() >> 11) / 9007199254740992.0;
  }
  double logarithmic(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits_() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Returns an approximately normal number, from the sum of four uniform draws.
  double bell(double mean, double spread) {
    return mean + spread * (uniform(-1, 1) + uniform(-1, 1) + uniform(-1, 1) + uniform(-1, 1));
  }

 private:
  std::mt19937_64 bits_;
};

enum class Mix { equal, drug_like, even, heavy_tailed, two_humps };

double draw_atoms(Draws& draws, Mix mix) {
  switch (mix) {
    case Mix::equal:
      return 30;
    case Mix::drug_like:
      return draws.bell(26, 6);
    case Mix::even:
      return draws.uniform(3, 80);
    case Mix::heavy_tailed:
      return 15 + 5 / std::sqrt(draws.uniform(0.0004, 1));
    case Mix::two_humps:
      break;
  }
  return draws.uniform(0, 1) < 0.8 ? draws.bell(20, 4) : draws.bell(110, 15);
}

std::vector<ItemSize> draw_items(Draws& draws, std::size_t count) {
  const auto mix = static_cast<Mix>(draws.whole(0, 4));
  const double degree = draws.uniform(1.9, 2.3);
  std::vector<ItemSize> items;
  for (std::size_t i = 0; i < count; ++i) {
    const auto atoms = static_cast<std::uint64_t>(std::lround(std::max(2.0, draw_atoms(draws, mix))));
    const double edges = static_cast<double>(atoms) * (mix == Mix::equal ? 2 : draws.uniform(1.9, degree));
    items.push_back({atoms, 2 * static_cast<std::uint64_t>(edges / 2)});
  }
  return items;
}

/// A model, and the approximate memory of one of its items.
struct DrawnModel {
  std::string kind;
  std::unique_ptr<memory::StepModel> model;
  double bytes_an_item = 0;
  double most_bytes = 0;  ///< highest budget. With a higher budget, a run would take too long
  bool trains = false;
  bool has_atoms = true;
  bool is_dense = false;  ///< whether a molecule has attention between all pairs of its tokens
};

DrawnModel draw_attention(Draws& draws, bool trains) {
  AttentionShape shape;
  shape.layers = draws.whole(2, 5);
  shape.heads = std::int64_t{4} << draws.whole(0, 2);
  shape.width = shape.heads * draws.whole(2, 6);
  const auto scores = static_cast<double>(shape.heads) * 4 * 2000;
  const double bytes = scores * (trains ? 4 * static_cast<double>(shape.layers) : 4);
  return {trains ? "train attention" : "encode with attention",
          std::make_unique<AttentionWorkload>(shape, trains), bytes, 1e18, trains};
}

DrawnModel draw_messages(Draws& draws, bool trains) {
  const MessageShape shape{draws.whole(2, 6), 8 * draws.whole(2, 8)};
  const double bytes =
      8.0 * 4 * static_cast<double>(shape.width) * (trains ? 12.0 * static_cast<double>(shape.layers) : 10);
  return {trains ? "train message passing" : "encode with message passing",
          std::make_unique<MessageWorkload>(shape, trains), bytes, 1e18, trains};
}

DrawnModel draw_model(Draws& draws) {
  const std::int64_t kind = draws.whole(0, 19);
  if (kind < 5) {
    return draw_attention(draws, true);
  }
  if (kind < 8) {
    return draw_attention(draws, false);
  }
  if (kind < 12) {
    return draw_messages(draws, true);
  }
  if (kind < 14) {
    return draw_messages(draws, false);
  }
  if (kind < 16) {
    const std::int64_t hidden = 64 * draws.whole(1, 6);
    return {"train an energy head",
            energy_head_workload(hidden),
            static_cast<double>(hidden * 48 + 4096),
            512 * kMebibyte,
            true,
            false};
  }
  if (kind < 18) {
    const std::int64_t hidden = 32 * draws.whole(1, 6);
    return {"train a classifier",
            classifier_workload(hidden),
            static_cast<double>(hidden * 48 + 2048),
            2048 * kMebibyte,
            true,
            false};
  }
  return {"encode with MiniMol", minimol_workload(), 28 * 12e3, 192 * kMebibyte, false};
}

DrawnModel draw_unimol(Draws& draws) {
  encoders::NetworkSizes sizes;
  sizes.layers = draws.whole(2, 4);
  sizes.heads = std::int64_t{8} << draws.whole(0, 2);
  sizes.width = sizes.heads * draws.whole(4, 8);
  sizes.hidden = sizes.width * draws.whole(1, 4);
  sizes.kernels = 16 * draws.whole(1, 4);
  const encoders::AtomPairChoice fine{.atoms = draws.whole(0, 2) == 0, .pairs = draws.whole(0, 2) == 0};
  const double bytes =
      4.0 * (28 * 28 * static_cast<double>(sizes.heads) + 28 * 6 * static_cast<double>(sizes.width));
  DrawnModel drawn{"encode with Uni-Mol", unimol_workload(sizes, fine), bytes, 512 * kMebibyte, false};
  drawn.is_dense = true;
  return drawn;
}

struct NoMarks : memory::AllocationTagger {
  void allocating(memory::AllocationTag) override {}
};

/// Returns the batches of one pass over all items, as the plan packs them.
std::vector<std::vector<ItemSize>> batches_of_pass(const memory::StepPlan& plan,
                                                   const memory::PlanningRequest& request) {
  const std::span<const ItemSize> all(request.items);
  const std::size_t size = request.effective_batch == 0 ? all.size() : request.effective_batch;
  std::vector<std::vector<ItemSize>> batches;
  for (std::size_t first = 0; first < all.size(); first += size) {
    const auto effective = all.subspan(first, std::min(size, all.size() - first));
    for (const auto& members : plan.pack(effective)) {
      auto& batch = batches.emplace_back();
      for (const std::size_t member : members) {
        batch.push_back(effective[member]);
      }
    }
  }
  return batches;
}

/// Draws the budget and the items for a model.
RandomWorkload workload_of(DrawnModel drawn, Draws& draws, std::uint64_t most_bytes) {
  RandomWorkload workload{drawn.kind, std::move(drawn.model), {}};
  memory::PlanningRequest& request = workload.request;
  const double most = std::min(static_cast<double>(most_bytes), drawn.most_bytes);
  const bool is_large = most > kLarge && draws.uniform(0, 1) < kLargeShare;
  request.budget_bytes = static_cast<std::uint64_t>(
      is_large ? draws.logarithmic(kLarge, most) : draws.logarithmic(kMinBytes, std::min(most, kLarge)));
  const double at_once = static_cast<double>(request.budget_bytes) / drawn.bytes_an_item;
  const bool can_be_cut = !drawn.trains || workload.model->can_accumulate();
  const double share = can_be_cut ? draws.logarithmic(0.2, 5) : draws.uniform(0.2, 0.9);
  const auto batch = static_cast<std::size_t>(std::clamp(at_once * share, 4.0, 40'000.0));
  const auto count = static_cast<std::size_t>(static_cast<double>(batch) * draws.uniform(1, 2.5));
  request.effective_batch = drawn.trains ? batch : 0;
  if (draws.uniform(0, 1) >= kEveryPrecisionShare) {
    request.precision = memory::Precision::fp32;
  }
  request.items = drawn.has_atoms ? draw_items(draws, count) : std::vector<ItemSize>(count);
  if (drawn.is_dense) {
    for (ItemSize& item : request.items) {
      item.tokens += 2;
      item.pairs = item.tokens * item.tokens;
    }
  }
  return workload;
}

}  // namespace

RandomWorkload random_workload(std::uint64_t seed, std::uint64_t most_bytes) {
  Draws draws(seed);
  return workload_of(draw_model(draws), draws, most_bytes);
}

RandomWorkload random_unimol_workload(std::uint64_t seed, std::uint64_t most_bytes) {
  Draws draws(seed);
  return workload_of(draw_unimol(draws), draws, most_bytes);
}

Trial try_workload(RandomWorkload workload, Extent extent) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  memory::PlanningRequest& request = workload.request;
  const Stopwatch planning;
  const memory::PlannedSteps planned = memory::plan_steps(*workload.model, meter, request);
  Trial trial;
  trial.kind = workload.kind;
  trial.budget_bytes = request.budget_bytes;
  trial.planning_seconds = planning.seconds();
  trial.fits = planned.report.chosen.has_value();
  trial.probes = planned.report.probes;
  if (!trial.fits) {
    return trial;
  }
  const memory::StepPlan& plan = *planned.plan;
  trial.projected_bytes = plan.peak_bytes(plan.worst_batch);
  trial.used_share = planned.report.used_share;
  trial.limited_by = planned.report.limited_by;
  trial.settings = planned.report.alternatives[*planned.report.chosen].settings;
  trial.is_exact = planned.report.is_exact;

  const memory::AllocationLimit limit(meter, request.outside_bytes + request.budget_bytes);
  const Stopwatch running;
  NoMarks marks;
  meter.reset_peak();
  try {
    workload.model->run(plan.worst_batch, plan.settings, marks);
    trial.true_bytes = meter.peak_bytes() - request.outside_bytes;
    trial.batches_run = 1;
    if (extent == Extent::whole_pass) {
      for (const auto& batch : batches_of_pass(plan, request)) {
        workload.model->run(batch, plan.settings, marks);
        ++trial.batches_run;
      }
    }
  } catch (const std::exception&) {
    trial.refused = true;
    if (!torch::is_out_of_memory(std::current_exception())) {
      throw;
    }
  }
  trial.running_seconds = running.seconds();
  return trial;
}

}  // namespace molgauge::workloads
