#include "molecules/verbs/predict/predict_call.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/folders.h"
#include "molecules/chem/perceiving_bytes.h"
#include "molecules/encoding/pipeline/feature_rows.h"
#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molecules/store/features/feature_store.h"
#include "molecules/verbs/predict/stored_predictions.h"

namespace molgauge::verbs {

using encoders::chemprop::ChempropEncoder;
using encoders::chemprop::ModelSet;

std::uint64_t reading_bytes(const ModelSet& set, std::size_t width, std::size_t records) {
  const std::size_t numbers = width + (set.descriptors() > 0 ? set.width() : 0);
  return std::min(records, pipeline::kBlockRows) *
         (numbers * sizeof(float) + set.descriptors() * sizeof(double));
}

std::uint64_t bytes_beside_prediction(const PredictRequest& request, const session::MoleculeList& molecules,
                                      std::size_t threads) {
  if (request.standardize == Standardize::none) {
    return 0;
  }
  std::uint64_t parsing = 0;
  for (const encoders::MoleculeSize& size : molecules.sizes) {
    parsing = std::max(parsing, chem::perceiving_bytes(size.atoms, molecules.longest_molecule));
  }
  return bytes_of_standard_forms(request.standardize, molecules.records, threads) + 2 * threads * parsing;
}

std::vector<OtherForms> other_forms_of(const PredictRequest& request, bool marks_parents,
                                       const std::function<pipeline::MoleculeSource()>& open,
                                       std::size_t records, const ModelSet& set) {
  const std::size_t threads = runtime::threads_of(request.compute);
  std::vector<OtherForms> all;
  const auto add = [&](OtherForms forms) {
    if (forms.list.records > 0) {
      all.push_back(std::move(forms));
    }
  };
  if (request.check_spellings) {
    add(other_spellings_of(open(), records, set, threads));
  }
  if (marks_parents && request.standardize == Standardize::none) {
    add(parents_of(open(), records, threads));
  }
  return all;
}

PredictCall::PredictCall(const PredictRequest& request, const ModelSet& set, bool marks_parents,
                         bool allow_all_failed)
    : request_(request),
      set_(set),
      marks_parents_(marks_parents && request.standardize == Standardize::none),
      memory_(request.compute, runtime::parse_device("cpu")),
      session_(open_session(allow_all_failed)),
      threads_(runtime::threads_of(request.compute)) {}

session::EncodingSession PredictCall::open_session(bool allow_all_failed) {
  auto encoder = session::make_chemprop_encoder(set_, stored_rows(set_));
  const auto store = store::FeatureStore::open(runtime::store_folder(request_.store), store::Access::write);
  auto rows = std::make_unique<pipeline::StoredRows>(store.table(pipeline::feature_space(*encoder)),
                                                     runtime::threads_of(request_.compute));
  return {{.encoder = session::kChemprop,
           .store = request_.store,
           .weights = request_.weights,
           .strict = request_.strict,
           .allow_all_failed = allow_all_failed,
           .compute = request_.compute},
          memory_,
          std::move(encoder),
          std::move(rows)};
}

PredictCall::OpenSource PredictCall::standardized(const OpenSource& open) {
  if (request_.standardize == Standardize::none) {
    return open;
  }
  return [this, open] {
    standardized_rows_ = 0;
    return session::standardized_source(open(), request_.standardize, threads_, &standardized_rows_);
  };
}

void PredictCall::declare_requirement(const PredictRequest& request, const session::MoleculeList& molecules,
                                      std::uint64_t bytes_beside) {
  runtime::MemoryRequirement need = session_.smallest_need(molecules);
  need.what = "predicting " + request.molecules;
  need.host_bytes += bytes_beside_prediction(request, molecules, threads_) + bytes_beside;
  memory_.declare_requirement(std::move(need));
}

void PredictCall::predict(const OpenSource& open, session::MoleculeList molecules) {
  std::vector<OtherForms> others = other_forms_of(request_, marks_parents_, open, molecules.records, set_);
  const auto declare = [&](const session::MoleculeList& list, const std::string& what, std::uint64_t beside) {
    runtime::MemoryRequirement need = session_.smallest_need(list);
    need.what = "predicting " + what;
    need.host_bytes += beside;
    memory_.declare_requirement(std::move(need));
  };
  for (const OtherForms& forms : others) {
    declare(forms.list, forms.name, forms.bytes_beside);
  }
  if (const std::uint64_t beside = bytes_beside_prediction(request_, molecules, threads_); beside > 0) {
    declare(molecules, "standardised molecules", beside);
    session_.set_aside(beside);
  }
  const OpenSource source = standardized(open);
  outcome_ = session_.encode(source(), std::move(molecules));
  workers_ = session_.workers();
  for (OtherForms& forms : others) {
    EncodedForms& encoded = forms.are_parents ? parents_ : spellings_;
    session_.set_aside(forms.bytes_beside);
    encoded = encode_forms(session_, source(), failed_rows(outcome_), std::move(forms), threads_);
  }
}

void PredictCall::for_each_prediction(const PredictionTable& table, const DescriptorSource& descriptors,
                                      const std::function<void(const PredictedRow&)>& visit) {
  const auto& encoder = dynamic_cast<const ChempropEncoder&>(session_.encoder());
  Heads heads(encoder, set_);
  FormPredictions spellings(session_.table(), spellings_, encoder, set_);
  FormPredictions parents(session_.table(), parents_, encoder, set_);
  spreads_.emplace(table.tasks().size());
  implausible_.assign(table.tasks().size(), 0);
  differences_.emplace(set_, table);
  const std::vector<bool> failed = failed_rows(outcome_);
  PredictedRow row;
  const auto visit_block = [&](std::span<const float> stored) {
    const std::size_t rows = stored.size() / encoder.width(), width = set_.width();
    const auto first = failed.begin() + static_cast<std::ptrdiff_t>(row.number);
    const std::vector<double> inputs =
        descriptors.next
            ? descriptors.next(std::vector<bool>(first, first + static_cast<std::ptrdiff_t>(rows)))
            : std::vector<double>();
    const std::span<const float> predictions = heads.predict(stored, inputs);
    for (std::size_t i = 0; i < rows; ++i, ++row.number) {
      const auto own = std::span(inputs).subspan(i * set_.descriptors(), set_.descriptors());
      row.predictions = predictions.subspan(i * width, width);
      row.spread.clear();
      row.parent = {};
      row.has_failed = failed[row.number];
      if (spellings_.has(row.number)) {
        std::vector<float> all(row.predictions.begin(), row.predictions.end());
        const std::span<const float> others = spellings.next(own);
        all.insert(all.end(), others.begin(), others.end());
        row.spread = table.spread(all);
        spreads_->add(row.spread);
      }
      if (parents_.has(row.number)) {
        const std::vector<double> of_parent =
            descriptors.of_parent ? descriptors.of_parent(i) : std::vector(own.begin(), own.end());
        if (const std::span<const float> parent = parents.next(of_parent); !parent.empty()) {
          row.parent = differences_->add(row.predictions, parent);
        }
      }
      if (!row.has_failed) {
        table.count_implausible(row.predictions, implausible_);
      }
      visit(row);
    }
  };
  require_present(pipeline::for_each_block(session_.table(), outcome_.keys, encoder.width(), visit_block),
                  outcome_);
  if (descriptors.end) {
    descriptors.end();
  }
}

namespace {

/// Returns a sentence about predictions outside their plausible ranges, or an empty text if there are none.
std::string range_warning(const PredictReport& report) {
  std::vector<std::string> tasks;
  for (const PredictedTask& task : report.tasks) {
    if (task.implausible_rows > 0) {
      const std::string range = !task.highest  ? fmt::format("at least {:g}", *task.lowest)
                                : !task.lowest ? fmt::format("at most {:g}", *task.highest)
                                               : fmt::format("{:g} to {:g}", *task.lowest, *task.highest);
      tasks.push_back(fmt::format("{} of {} ({} {})", task.implausible_rows, task.name, range, task.unit));
    }
  }
  return tasks.empty() ? ""
                       : fmt::format(
                             "these predictions are outside the plausible range: {}. Do not use these "
                             "numbers",
                             fmt::join(tasks, ", "));
}

}  // namespace

PredictReport PredictCall::report(const PredictionTable& table) {
  PredictReport report;
  report.rows = outcome_.rows;
  report.predicted = outcome_.encoded;
  report.from_store = outcome_.from_store;
  report.models = set_.models.size();
  report.molecules_per_second = static_cast<double>(outcome_.encoded) / outcome_.seconds;
  report.oom_recoveries =
      outcome_.memory.recoveries + spellings_.outcome.memory.recoveries + parents_.outcome.memory.recoveries;
  report.workers = workers_;
  report.phase = memory_.phases().report("encoding");
  report.tasks = table.tasks();
  report.standardized_rows = standardized_rows_;
  for (std::size_t i = 0; i < implausible_.size(); ++i) {
    report.tasks[i].implausible_rows = implausible_[i];
  }
  spreads_->report_to(report);
  differences_->report_to(report);
  for (const std::string& warning :
       {spelling_warning(report), parent_warning(report), range_warning(report)}) {
    if (!warning.empty()) {
      log_warning("{}", warning);
    }
  }
  return report;
}

}  // namespace molgauge::verbs
