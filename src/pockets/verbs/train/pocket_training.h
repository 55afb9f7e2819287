#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/io/tensors/keyed_rows.h"
#include "base/runtime/budget_scope.h"
#include "molgauge/memory_plan.h"
#include "molgauge/pocket_train.h"
#include "pockets/graphs/graph_set.h"
#include "pockets/training/data.h"
#include "pockets/training/options.h"
#include "pockets/training/plan.h"
#include "pockets/training/selection.h"

namespace molgauge::verbs {

/// The data of a training of a pocket encoder, read from the files of the request.
class PocketTraining {
 public:
  /// `processes`: the number of processes that train together. Throws UsageError and InputError if the
  /// request or its files are invalid.
  PocketTraining(const PocketTrainRequest& request, std::size_t processes);
  PocketTraining(const PocketTraining&) = delete;
  PocketTraining& operator=(const PocketTraining&) = delete;

  const pocket::GraphSet& graphs() const { return graphs_; }
  const io::KeyedRows& ligands() const { return ligands_; }
  const pocket::SelectedPockets& selected() const { return selected_; }
  const pocket::TrainingData& data() const { return data_; }
  const pocket::TrainingOptions& options() const { return options_; }

  /// Plans the steps within the budget of the call, and declares the memory of the plan to `memory`.
  const MemoryPlan& plan(runtime::BudgetScope& memory, std::size_t threads);

 private:
  const pocket::GraphSet graphs_;
  const io::KeyedRows ligands_;
  pocket::TrainingOptions options_;
  const pocket::SelectedPockets selected_;
  const pocket::TrainingData data_;
  pocket::TrainingPlan plan_;
};

/// Implements `molgauge memory plan pocket`.
std::vector<MemoryPlan> plan_training_verb(PocketTrainRequest request);

}  // namespace molgauge::verbs
