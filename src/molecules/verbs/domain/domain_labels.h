#pragma once

#include <string>
#include <vector>

#include "molecules/datasets/label_column.h"
#include "molecules/judging/saved_domain.h"
#include "molecules/verbs/domain/merged_values.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

/// Throws InputError if the labels of a file look like more than two classes, unless the request states that
/// they are numbers. `labels`: the label column of the file after its last record.
void require_numbers_or_two_classes(const DomainRequest& request, const std::string& file,
                                    const datasets::LabelColumn& labels);

/// Does the same as require_numbers_or_two_classes(). Also throws UsageError if --labels-are-numbers has no
/// effect on the labels.
void require_task(const DomainRequest& request, const std::string& file, const datasets::LabelColumn& labels);

domain::CensoredCount censored_in(const datasets::LabelColumn& labels);

/// Describes how the labels of training molecules were merged. `names` and `smiles`: one for each molecule.
domain::LabelNotes describe_labels(const MergedValues& labels, const std::vector<std::string>& names,
                                   const std::vector<std::string>& smiles);

/// Returns sentences about merged and censored labels, for the terminal, the page and domain.json.
std::vector<std::string> label_notices(const domain::LabelNotes& notes);

}  // namespace molgauge::verbs
