#pragma once

#include <vector>

#include "base/page/page.h"
#include "molecules/pages/compared_methods.h"
#include "molecules/pages/run_files.h"

/// The sections of the page, in order. Each function adds only the parts for which the study has data.
namespace molgauge::report {

/// Adds tables, means with intervals, and the significance of differences.
void add_results(page::Page& page, const Study& study, const std::vector<Setting>& settings);
/// Adds ROC curves, precision-recall curves and score histograms of the median run of each method.
void add_curves(page::Page& page, RunFiles& files, const std::vector<Setting>& settings);
/// Adds losses and validation figures by epoch, and pair statistics if the loss has pairs.
void add_training(page::Page& page, RunFiles& files, const std::vector<Setting>& settings);
/// Adds the pairs of test molecules that move the parameters of heads with the DPO loss.
void add_hard_pairs(page::Page& page, RunFiles& files, const std::vector<Setting>& settings);
/// Adds plots of the AUROC against each option of a grid, for validation and test molecules.
void add_sensitivity(page::Page& page, const Study& study, const std::vector<Setting>& settings);
/// Adds the ID molecules with the highest scores and the OOD molecules with the lowest scores.
void add_molecules(page::Page& page, RunFiles& files, const std::vector<Setting>& settings);
/// Adds times, throughput and the memory of each phase.
void add_cost(page::Page& page, RunFiles& files, const Study& study, const std::vector<Setting>& settings);
/// Adds the options of the runs.
void add_settings(page::Page& page, RunFiles& files, const Study& study,
                  const std::vector<Setting>& settings);
/// Adds failed runs, and missing or unreadable files.
void add_gaps(page::Page& page, const Study& study, const RunFiles& files);

}  // namespace molgauge::report
