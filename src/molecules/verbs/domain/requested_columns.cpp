#include "molecules/verbs/domain/requested_columns.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"
#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/required_columns.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/judging/label_curve.h"
#include "molecules/verbs/describe/property_columns.h"
#include "molecules/verbs/domain/domain_csv.h"
#include "molecules/verbs/domain/domain_labels.h"
#include "molecules/verbs/predictions/candidate_predictions.h"
#include "molecules/verbs/predictions/prediction_columns.h"

namespace molgauge::verbs {
namespace {

using Values = session::RequiredColumn::Values;

/// Throws if measure_errors() would refuse the labels. This check runs before the training molecules are
/// encoded, because encoding takes long.
void require_labels(const DomainRequest& request, const datasets::LabelColumn& labels) {
  if (labels.known() < domain::kMinLabelled) {
    const std::size_t censored = labels.censored().count;
    throw InputError(fmt::format(
        "{}: the column {} has {}{}, which is too few to measure how errors grow with the distance. Leave "
        "out --label-column, or give values for at least {} molecules",
        request.training, request.label_column, counted(labels.known(), "value"),
        censored > 0 ? fmt::format(" ({} such as {} not counted)", counted(censored, "censored value"),
                                   labels.censored().first)
                     : "",
        domain::kMinLabelled));
  }
  if (labels.distinct().size() == 1) {
    throw InputError(
        fmt::format("{}: all values of the column {} are {}. A predictor needs at least two distinct values. "
                    "Leave out --label-column, or name another column",
                    request.training, request.label_column, *labels.distinct().begin()));
  }
  require_task(request, request.training, labels);
}

void require_training_columns(const DomainRequest& request) {
  std::vector<session::RequiredColumn> columns;
  const bool needs_labels = !request.label_column.empty() && !judges_predictions(request);
  if (needs_labels) {
    columns.push_back({"--label-column", request.label_column, Values::labels});
  }
  if (!request.name_column.empty()) {
    columns.push_back({"--name-column", request.name_column});
  }
  const session::CheckedColumns checked = session::require_columns(
      request.training, {request.training_smiles_column, "--train-smiles-column"}, columns);
  if (needs_labels) {
    require_labels(request, checked.labels.front());
  }
}

/// Returns a domain without molecules. It has an error curve if the domain of the request will have one. This
/// determines the names of the columns in the result.
domain::SavedDomain with_labels_of(const DomainRequest& request) {
  domain::SavedDomain domain;
  if (has_error_curve(request)) {
    domain.curve.bins.resize(1);
  }
  if (reads_training_values(request)) {
    domain.values.resize(1);
  }
  return domain;
}

}  // namespace

bool has_error_curve(const DomainRequest& request) {
  // The learned features of a chemprop model depend on the measured values of the training molecules.
  return (request.model.empty() || !session::is_chemprop(request.model)) && reads_training_values(request);
}

bool reads_training_values(const DomainRequest& request) {
  if (request.label_column.empty() || domain::is_saved_domain(request.training)) {
    return false;
  }
  if (!judges_predictions(request)) {
    return true;
  }
  const session::SmilesColumn smiles{request.training_smiles_column, "--train-smiles-column"};
  if (!io::find_column(session::require_columns(request.training, smiles, {}).names, request.label_column)) {
    return false;
  }
  const std::vector<session::RequiredColumn> label = {
      {"--label-column", request.label_column, Values::labels}};
  const datasets::LabelColumn labels =
      session::require_columns(request.training, smiles, label).labels.front();
  require_numbers_or_two_classes(request, request.training, labels);
  return labels.known() >= domain::kMinLabelled && labels.distinct().size() > 1;
}

void require_free_columns(const std::string& file, const std::vector<std::string>& columns,
                          const std::vector<std::string>& added) {
  for (const std::string& name : added) {
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) {
      throw InputError(fmt::format(
          "{}: has a column {}, which is also a column of the result. Rename it in the file", file, name));
    }
  }
}

void require_domain_columns(const DomainRequest& request, const domain::SavedDomain& saved) {
  std::vector<std::string> added = domain_columns(saved);
  if (!domain::is_saved_domain(request.training)) {
    require_training_columns(request);
    added = domain_columns(with_labels_of(request));
  }
  if (judges_predictions(request)) {
    const std::vector<std::string> outcomes = all_outcome_columns();
    added.insert(added.end(), outcomes.begin(), outcomes.end());
  }
  if (request.describe) {
    const std::vector<std::string> properties = verbs::property_names();
    added.insert(added.end(), properties.begin(), properties.end());
  }
  if (request.candidates.empty()) {
    return;
  }
  const session::CheckedColumns candidates =
      session::require_columns(request.candidates, {request.smiles_column}, {});
  require_free_columns(request.candidates, candidates.names, added);
}

}  // namespace molgauge::verbs
