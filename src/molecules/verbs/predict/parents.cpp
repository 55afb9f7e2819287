#include "molecules/verbs/predict/parents.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/core/text/counted.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/standardize.h"
#include "molecules/encoding/session/standardized_source.h"

namespace molgauge::verbs {
namespace {

/// Bytes that RDKit's tables of standardisation rules take, once for each thread.
constexpr std::uint64_t kBytesOfRules = std::uint64_t{2} << 20;

std::vector<chem::MoleculeRecord> parent_record(const chem::MoleculeRecord& record) {
  chem::MoleculeRecord parent = chem::standardized_record(record, Standardize::parent);
  if (parent.text == record.text) {
    return {};
  }
  return {std::move(parent)};
}

bool is_regression(encoders::chemprop::HeadKind kind) {
  using encoders::chemprop::HeadKind;
  return kind == HeadKind::regression || kind == HeadKind::mean_variance || kind == HeadKind::evidential ||
         kind == HeadKind::quantile;
}

std::string smiles_of(const chem::MoleculeRecord& record) {
  return record.format == chem::RecordFormat::smiles
             ? record.text
             : chem::identify(record, /*with_scaffold=*/false).canonical_smiles;
}

}  // namespace

OtherForms parents_of(const pipeline::MoleculeSource& source, std::size_t records, std::size_t threads) {
  OtherForms forms;
  forms.name = "the parents";
  forms.are_parents = true;
  forms.list = list_forms(source, 1, chem::may_change);
  forms.make = parent_record;
  forms.bytes_beside = bytes_beside_forms(forms, /*longer_by=*/1, records, threads) +
                       bytes_of_standard_forms(Standardize::parent, forms.list.records, threads);
  return forms;
}

std::uint64_t bytes_of_standard_forms(Standardize mode, std::size_t records, std::size_t threads) {
  return session::bytes_of_standardizing(mode, threads, records) + threads * kBytesOfRules;
}

ParentDifferences::ParentDifferences(const encoders::chemprop::ModelSet& set, const PredictionTable& table)
    : table_(table), largest_(table.tasks().size(), 0), differing_(table.tasks().size(), 0) {
  for (const encoders::chemprop::Ensemble& ensemble : set.ensembles) {
    const std::vector<float>& scale = ensemble.head.scale;
    for (std::size_t task = 0; task < ensemble.tasks.size(); ++task) {
      const bool has_scale = is_regression(ensemble.head.kind) && task < scale.size();
      tolerances_.push_back(kParentTolerance * (has_scale ? double{scale[task]} : 1));
    }
  }
}

ParentDifferences::Comparison ParentDifferences::add(std::span<const float> drawn,
                                                     std::span<const float> parent) {
  const auto own = table_.values(drawn), other = table_.values(parent);
  Comparison comparison;
  for (std::size_t task = 0; task < own.size(); ++task) {
    double largest = 0;
    for (std::size_t value = 0; value < own[task].size(); ++value) {
      const double difference = std::abs(double{own[task][value]} - double{other[task][value]});
      largest = std::fmax(largest, difference);  // leaves out NaN
      if (difference / tolerances_[task] > example_.ratio) {
        example_ = {difference / tolerances_[task], table_.tasks()[task].columns[value], own[task][value],
                    other[task][value], ""};
        comparison.is_example = true;
      }
    }
    largest_[task] = std::max(largest_[task], largest);
    const bool differs = largest > tolerances_[task];
    differing_[task] += differs ? 1 : 0;
    comparison.differs = comparison.differs || differs;
  }
  ++rows_;
  differing_rows_ += comparison.differs ? 1 : 0;
  return comparison;
}

void ParentDifferences::keep_example(const chem::MoleculeRecord& record) {
  const chem::MoleculeRecord parent = chem::standardized_record(record, Standardize::parent);
  example_.text =
      fmt::format("{}:{}: {} {:.4g} for {}, {:.4g} for {}", record.file, record.line, example_.column,
                  example_.drawn, smiles_of(record), example_.parent, smiles_of(parent));
}

void ParentDifferences::report_to(PredictReport& report) const {
  report.parent_rows = rows_;
  report.parent_differs_rows = differing_rows_;
  report.parent_example = example_.text;
  for (std::size_t task = 0; task < report.tasks.size(); ++task) {
    report.tasks[task].parent_tolerance = tolerances_[task];
    report.tasks[task].parent_differs_rows = differing_[task];
    report.tasks[task].largest_parent_difference = largest_[task];
  }
}

std::string parent_warning(const PredictReport& report) {
  if (report.parent_differs_rows == 0) {
    return "";
  }
  return fmt::format(
      "the predictions of {} change if the molecule is drawn as its parent, neutral and without counter-ions "
      "(column {}). {}. To predict the parents, add --standardize parent",
      counted(report.parent_differs_rows, "row"), kParentDiffers, report.parent_example);
}

}  // namespace molgauge::verbs
