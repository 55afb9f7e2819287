#include "session/request_ranges.h"

#include <variant>

#include "core/option_range.h"

namespace headroom::session {
namespace {

void require_compute(const ComputeOptions& compute) {
  require_in_range("threads", compute.threads);
  require_in_range("memory-trace-ring", compute.memory_trace_ring);
}

void require_draw(const BenchmarkDraw& draw) {
  const auto require = [](const char* option, const std::optional<std::size_t>& size) {
    if (size) {
      require_in_range(option, *size);
    }
  };
  require("train-size", draw.train_size);
  require("val-size", draw.val_size);
  require("test-size", draw.test_size);
  require_in_range("debug-dataset-size", draw.debug_dataset_size);
}

/// Of what judges scores and shows them on a page.
template <typename Request>
void require_threshold(const Request& request) {
  if (request.threshold) {
    require_in_range("threshold", *request.threshold);
  }
  require_in_range("id-recall", request.id_recall);
  require_in_range("page-rows", request.page_rows);
}

}  // namespace

void require_ranges(const EncodeRequest& request) {
  require_in_range("batch-atoms", request.batch_atoms);
  require_compute(request.compute);
}

void require_ranges(const ConformersRequest& request) {
  require_in_range("threads", request.threads);
  require_in_range("conformer-deadline", request.options.deadline_seconds);
  require_in_range("max-atoms", request.options.max_atoms);
}

void require_ranges(const SplitRequest& request) { require_in_range("threads", request.threads); }

void require_ranges(const TrainRequest& request) {
  require_in_range("seeds", request.seeds);
  require_draw(request);
  require_compute(request.compute);
}

void require_ranges(const EvaluateRequest& request) { require_compute(request.compute); }

void require_ranges(const ScoreRequest& request) {
  require_threshold(request);
  require_compute(request.compute);
}

void require_ranges(const ReportRequest& request) { require_threshold(request); }

void require_ranges(const DomainRequest& request) {
  if (request.level) {
    require_in_range("level", *request.level);
  }
  if (request.borderline_level) {
    require_in_range("borderline-level", *request.borderline_level);
  }
  require_in_range("page-rows", request.page_rows);
  require_compute(request.compute);
}

void require_ranges(const BaselineRequest& request) {
  require_draw(request);
  require_compute(request.compute);
}

void require_ranges(const ExperimentRequest& request) {
  require_in_range("jobs", request.jobs);
  require_compute(request.compute);
}

void require_ranges(const PlanMemoryRequest& request) {
  std::visit([](const auto& work) { require_ranges(work); }, request.work);
}

void require_ranges(const ImportFeaturesRequest& request) { require_in_range("threads", request.threads); }

}  // namespace headroom::session
