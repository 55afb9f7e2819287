// Real tensor programs, planned by the planner and held to its figures.

#include <random>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "memory/planner.h"
#include "ops/cpu_tensor_memory.h"
#include "workloads/attention_workload.h"
#include "workloads/message_workload.h"

namespace headroom::workloads {
namespace {

using memory::ItemSize;

std::vector<ItemSize> made_up_items(std::size_t count, std::uint64_t most_atoms) {
  std::mt19937 bits(7);
  std::vector<ItemSize> items;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t atoms = 4 + bits() % (most_atoms - 3);
    items.push_back({atoms, 2 * atoms + 2 * (bits() % atoms)});
  }
  return items;
}

class IgnoredMarks : public memory::StepMarks {
  void allocating(memory::Contributor) override {}
};

TEST(X, Y) {
  at::set_num_threads(1);
  auto& meter = ops::cpu_tensor_memory();
  const std::uint64_t outside = meter.allocated_bytes();
  for (int which = 0; which < 4; ++which) {
    std::unique_ptr<BlockWorkload> model;
    if (which % 2 == 0) {
      model = std::make_unique<AttentionWorkload>(AttentionShape{}, which < 2);
    } else {
      model = std::make_unique<MessageWorkload>(MessageShape{}, which < 2);
    }
    memory::PlanningRequest request;
    request.items = made_up_items(500, 60);
    request.items_name = "molecules";
    request.effective_batch = which < 2 ? 128 : 0;
    request.budget_bytes = 64 << 20;
    request.outside_bytes = outside;
    const auto plan = memory::plan_steps(*model, meter, request);
    printf("%s\n", plan.report.text.c_str());
    meter.reset_peak();
    IgnoredMarks marks;
    model->run(plan.worst_batch, plan.settings, marks);
    printf("TRUE %lu projected %lu\n\n", meter.peak_bytes() - outside, plan.peak_bytes(plan.worst_batch));
    for (const auto& settings : model->variants()) {
      for (bool acc : {false, true}) {
        auto s = settings;
        s.accumulating = acc;
        memory::PlanningRequest r = request;
        r.checkpointing = s.checkpointing;
        r.precision = s.precision;
        r.budget_bytes = acc ? 32 << 20 : 1024 << 20;
        const auto p = memory::plan_steps(*model, meter, r);
        meter.reset_peak();
        model->run(p.worst_batch, p.settings, marks);
        printf("%s TRUE %lu projected %lu exact %d\n", to_string(p.settings).c_str(),
               meter.peak_bytes() - outside, p.peak_bytes(p.worst_batch), p.report.is_exact);
      }
    }
  }
}

}  // namespace
}  // namespace headroom::workloads
