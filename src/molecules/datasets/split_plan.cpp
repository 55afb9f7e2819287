#include "molecules/datasets/split_plan.h"

#include "base/core/error.h"
#include "molecules/datasets/assay_filter.h"

namespace molgauge::datasets {
namespace {

void refuse_if(bool wrong, const std::string& text) {
  if (wrong) {
    throw UsageError(text);
  }
}

/// Checks the columns of the assay filter, which are valid only with the filter.
void check_filter(const MeasurementTable& table) {
  const bool any = !table.type_column.empty() || !table.measurement_type.empty() ||
                   !table.units_column.empty() || !table.confidence_column.empty();
  if (!table.subset) {
    refuse_if(any,
              "--type-column, --measurement-type, --units-column and --confidence-column have no effect "
              "without --subset. Add --subset or leave them out");
    return;
  }
  refuse_if(table.assay_column.empty(), "--subset filters assays. Name their column with --assay-column");
  refuse_if(table.type_column.empty() != table.measurement_type.empty(),
            "--type-column and --measurement-type belong together. Give the column and the type to keep");
  refuse_if(!table.confidence_column.empty() && !assay_rules(*table.subset).least_confidence,
            "--confidence-column has no effect with --subset " + to_string(*table.subset) +
                ", which accepts every confidence. Leave it out");
}

void check_drugood(const SplitRequest& request, const SplitPlan& plan) {
  refuse_if(plan.shift != Shift::covariate, "--algorithm drugood always shifts the domains. For --shift " +
                                                to_string(request.shift) + " use --algorithm good");
  refuse_if(plan.style.has_value(), "--style has no effect with --algorithm drugood. It belongs to good");
  refuse_if(request.label_columns.size() > 1,
            "--algorithm drugood needs exactly one --label-column, the column with the values");
  refuse_if(request.label_columns.empty() && !request.table.relation_column.empty(),
            "--relation-column needs the column of the values. Add --label-column");
  refuse_if(plan.domain == DomainKind::assay && request.table.assay_column.empty(),
            "--domain assay: needs the column with the assays. Name it with --assay-column");
  check_filter(request.table);
}

void check_good(const SplitRequest& request, const SplitPlan& plan) {
  const MeasurementTable& table = request.table;
  refuse_if(plan.domain == DomainKind::assay,
            "--algorithm good supports the domains scaffold and size. --domain assay belongs to drugood");
  refuse_if(!table.relation_column.empty() || table.subset || !table.type_column.empty() ||
                !table.measurement_type.empty() || !table.units_column.empty() ||
                !table.confidence_column.empty(),
            "columns of measurements (--relation-column, --subset and its columns) have no effect with "
            "--algorithm good. They belong to --algorithm drugood");
  refuse_if(plan.shift == Shift::concept_shift && request.label_columns.empty(),
            "--shift concept needs labels. Name their columns with --label-column");
  refuse_if(plan.shift == Shift::none && plan.style.has_value(),
            "--style has no effect with --shift none, because that split is random");
}

}  // namespace

SplitPlan plan_split(const SplitRequest& request) {
  SplitPlan plan;
  plan.domain = request.domain;
  plan.shift = request.shift;
  plan.drugood = request.algorithm.value_or(plan.domain == DomainKind::assay
                                                ? SplitAlgorithm::drugood
                                                : SplitAlgorithm::good) == SplitAlgorithm::drugood;
  plan.style = request.style;
  plan.drugood ? check_drugood(request, plan) : check_good(request, plan);
  refuse_if(request.drop_acyclic && plan.domain != DomainKind::scaffold,
            "--drop-acyclic has no effect with --domain " + to_string(request.domain) +
                ". It belongs to --domain scaffold");
  refuse_if(request.out.empty(), "--out: is missing. Name the benchmark file to write (.json)");
  return plan;
}

}  // namespace molgauge::datasets
