#pragma once

#include <vector>

#include "pages/study/compared_methods.h"
#include "pages/study/run_files.h"
#include "pages/toolkit/page.h"

/// The sections of the page in order. Each adds only the parts for which the study has data.
namespace headroom::report {

/// Tables, means with intervals, significance.
void add_results(page::Page& page, const Study& study, const std::vector<Setting>& settings);
/// ROC curves, precision-recall curves and score histograms of the median run of each method.
void add_curves(page::Page& page, RunFiles& files, const std::vector<Setting>& settings);
/// Losses and validation figures by epoch, and pair statistics if the loss has pairs.
void add_training(page::Page& page, RunFiles& files, const std::vector<Setting>& settings);
/// The pairs of test molecules that move the parameters of heads with the DPO loss.
void add_hard_pairs(page::Page& page, RunFiles& files, const std::vector<Setting>& settings);
/// AUROC against each option of a grid, on validation and on test.
void add_sensitivity(page::Page& page, const Study& study, const std::vector<Setting>& settings);
/// The ID molecules with the highest and the OOD molecules with the lowest scores.
void add_molecules(page::Page& page, RunFiles& files, const std::vector<Setting>& settings);
/// Memory of each phase, times, throughput.
void add_cost(page::Page& page, RunFiles& files, const Study& study, const std::vector<Setting>& settings);
/// The options of the runs.
void add_settings(page::Page& page, RunFiles& files, const Study& study,
                  const std::vector<Setting>& settings);
/// Failed runs, and missing or unreadable files.
void add_gaps(page::Page& page, const Study& study, const RunFiles& files);

}  // namespace headroom::report
