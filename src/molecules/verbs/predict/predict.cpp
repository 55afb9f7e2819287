// `molgauge predict`.

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/options/report_fields.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/failure_file.h"
#include "base/runtime/folders.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/encoding_phase.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/encoding/session/reread_input.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/files/named_table.h"
#include "molecules/verbs/describe/property_columns.h"
#include "molecules/verbs/predict/computed_descriptors.h"
#include "molecules/verbs/predict/descriptor_columns.h"
#include "molecules/verbs/predict/predict_call.h"
#include "molecules/verbs/predict/predict_with.h"
#include "molecules/verbs/predict/prediction_table.h"
#include "molecules/verbs/predict/prediction_writer.h"
#include "molecules/verbs/predict/stored_predictions.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

using encoders::chemprop::ModelSet;

void require_device(const PredictRequest& request) {
  const std::string& device = request.compute.device;
  if (device != "auto" && device != "cpu") {
    throw UsageError(fmt::format("--device {}: predict runs on the CPU. Leave --device out", device));
  }
}

void require_output(const PredictRequest& request) {
  if (std::filesystem::path(request.out).extension() != ".csv") {
    throw UsageError(
        fmt::format("--out {}: predictions are written as CSV. Give a name that ends in .csv. --workbook and "
                    "--sdf add other formats",
                    request.out));
  }
  require_endings({request.workbook, request.sdf});
}

void require_order(const PredictRequest& request) {
  const std::filesystem::path extension = std::filesystem::path(request.molecules).extension();
  if (extension == ".pt" || extension == ".ckpt") {
    throw UsageError(
        fmt::format("MOLECULES {}: is a model. Give the model first: molgauge predict MODEL MOLECULES",
                    request.molecules));
  }
}

/// Returns the columns of a table in memory besides the predictions.
std::vector<std::string> taken_in_memory(const PredictRequest& request) {
  std::vector<std::string> taken = {"smiles", "name", kParentDiffers, "reason"};
  if (request.describe) {
    const std::vector<std::string> properties = property_names();
    taken.insert(taken.end(), properties.begin(), properties.end());
  }
  return taken;
}

/// The memory for writing the predictions. It holds a block of predictions, the texts and cells of one row,
/// and a bit for each record. Descriptors are read by a second reader.
runtime::MemoryRequirement need_of_writing(const PredictRequest& request, const ModelSet& set,
                                           std::size_t width, const session::MoleculeList& molecules) {
  const std::uint64_t rows = session::bytes_of_rewriting(molecules) +
                             (set.descriptors() > 0 ? session::bytes_of_reading(molecules) : 0);
  return session::host_need(
      "writing " + request.out,
      molecules.records / 8 + molecules.longest_text + rows + reading_bytes(set, width, molecules.records) +
          bytes_of_computed_descriptors(set, molecules, runtime::threads_of(request.compute)) +
          bytes_of_properties(request.describe, runtime::threads_of(request.compute)) +
          bytes_of_copies({request.workbook, request.sdf}, molecules.longest_text,
                          runtime::threads_of(request.compute)));
}

}  // namespace

PredictReport predict(const PredictRequest& request) {
  require_order(request);
  require_device(request);
  require_output(request);
  return predict_with(request, *session::read_chemprop(request.model, request.weights).set,
                      /*marks_parents=*/true);
}

PredictReport predict_with(const PredictRequest& request, const ModelSet& set, bool marks_parents,
                           const LaterWork& later) {
  const DescriptorChoice choice = choose_descriptors(request.descriptor_columns, set);
  require_chirality(request, set);
  PredictCall call(request, set, marks_parents, /*allow_all_failed=*/false);
  const session::RereadInput input(request.molecules, runtime::store_folder(request.store));
  const DescriptorSource descriptors =
      choice.computed ? computed_descriptors(session::molecules_of(input.path(), request.smiles_column),
                                             request, *choice.computed)
                      : descriptors_of(DescribedFile{input.path(), request.molecules, request.smiles_column},
                                       choice.columns);
  session::MoleculeList molecules = session::list_molecules(input.path(), request.smiles_column);
  call.memory().declare_requirement(need_of_writing(request, set, call.stored_width(), molecules));
  std::uint64_t left = later.bytes_left + session::bytes_of_reading(molecules);
  for (const PredictRequest& next : later.predictions) {
    const session::MoleculeList list = session::list_molecules(next.molecules, next.smiles_column);
    left = std::max(left, later.bytes_left + session::bytes_of_reading(list));
    runtime::MemoryRequirement writing = need_of_writing(next, set, call.stored_width(), list);
    writing.host_bytes += left;
    call.memory().declare_requirement(std::move(writing));
    call.declare_requirement(next, list, left);
  }
  for (runtime::MemoryRequirement need : later.needs) {
    need.host_bytes += later.bytes_left > 0 ? left : 0;  // long cells leave gaps in the heap
    call.memory().declare_requirement(std::move(need));
  }
  std::shared_ptr<const std::vector<std::string>> columns;
  const auto named_source = [&]() -> pipeline::MoleculeSource {
    const session::MoleculeTable table =
        session::table_of(input.path(), request.smiles_column, [](const io::MoleculeRow&) {});
    columns = columns == nullptr ? table.columns : columns;
    return [&request, source = table.source]() {
      auto record = source();
      if (record) {
        record->file = request.molecules;  // messages name the pipe, not its copy
      }
      return record;
    };
  };
  call.predict(named_source, std::move(molecules));
  PredictionWriter writer(request, input.path(), *columns, set, call.marks_parents());
  writer.write(call, descriptors);
  pipeline::write_failures(std::filesystem::path(request.out).replace_extension(".failed.csv"),
                           call.outcome().failed, csv_texts(request.spreadsheet_safe));
  PredictReport report = call.report(writer.predictions());
  runtime::report_failed(call.outcome().failed, report);
  return report;
}

std::vector<MemoryPlan> plan_predict(const PredictRequest& request) {
  require_order(request);
  require_device(request);
  return plan_predict_with(request, *session::read_chemprop(request.model, request.weights).set,
                           /*marks_parents=*/true, "");
}

std::vector<MemoryPlan> plan_predict_with(const PredictRequest& request, const ModelSet& set,
                                          bool marks_parents, const char* which) {
  require_chirality(request, set);
  runtime::BudgetScope memory(request.compute, runtime::parse_device("cpu"));
  const auto encoder = session::make_chemprop_encoder(set, stored_rows(set));
  const session::MoleculeList molecules =
      session::require_molecules(request.molecules, request.smiles_column);
  memory.declare_requirement(need_of_writing(request, set, encoder->width(), molecules));
  std::vector<MemoryPlan> plans;
  const auto plan = [&](const session::MoleculeList& list, const std::string& name, std::uint64_t beside) {
    plans.push_back(session::plan_encoding_phase(*encoder, list, memory, request.compute, /*batch_atoms=*/0,
                                                 {.bytes_beside = beside}));
    plans.back().work = "predict " + name + "with chemprop" + which;
  };
  plan(molecules, "", bytes_beside_prediction(request, molecules, runtime::threads_of(request.compute)));
  if (io::is_rereadable(request.molecules)) {
    const auto open = [&] { return session::molecules_of(request.molecules, request.smiles_column); };
    for (const OtherForms& forms : other_forms_of(request, marks_parents, open, molecules.records, set)) {
      plan(forms.list, forms.name + " ", forms.bytes_beside);
    }
  }
  return session::with_total_budget(std::move(plans), memory);
}

PredictedList predict(const PredictRequest& request, const MoleculeTable& molecules) {
  if (!request.molecules.empty() || !request.out.empty() || !request.workbook.empty() ||
      !request.sdf.empty()) {
    throw UsageError(
        "in-memory prediction does not accept file paths. Remove `molecules`, `out`, `workbook` and `sdf`");
  }
  require_device(request);
  const std::vector<std::string>& smiles = molecules.smiles;
  std::vector<chem::MoleculeRecord> records(smiles.size());
  for (std::size_t row = 0; row < smiles.size(); ++row) {
    records[row].text = smiles[row];
    records[row].row = row;
    records[row].line = row + 1;
    records[row].file = "molecules";
  }
  const session::ChempropModels models = session::read_chemprop(request.model, request.weights);
  const ModelSet& set = *models.set;
  const DescriptorChoice choice = choose_descriptors(request.descriptor_columns, set);
  const DescriptorSource descriptors =
      choice.computed ? computed_descriptors(pipeline::source_of(records), request, *choice.computed)
                      : descriptors_of(molecules, choice.columns);
  require_chirality(request, set);
  const PredictionTable table(set, taken_in_memory(request), request.check_spellings);
  PredictedList list;
  for (const std::string& column : table.columns()) {
    list.columns.push_back({column, std::vector<double>(smiles.size(), std::nan(""))});
  }
  PredictCall call(request, set, /*marks_parents=*/true, /*allow_all_failed=*/true);
  call.memory().declare_requirement(session::host_need(
      "returning the predictions", reading_bytes(set, call.stored_width(), smiles.size())));
  call.predict([&] { return pipeline::source_of(records); }, session::list_molecules(records));
  if (call.marks_parents()) {
    list.parent_differs.resize(smiles.size());
  }
  call.for_each_prediction(table, descriptors, [&](const PredictedRow& row) {
    if (row.has_failed) {
      return;
    }
    const std::vector<float> numbers = table.numbers(row.predictions, row.spread);
    for (std::size_t column = 0; column < numbers.size(); ++column) {
      list.columns[column].values[row.number] = static_cast<double>(numbers[column]);
    }
    if (call.marks_parents()) {
      list.parent_differs[row.number] = row.parent.differs;
    }
    if (row.parent.is_example) {
      call.keep_example(records[row.number]);
    }
  });
  if (request.describe) {
    list.properties =
        properties_of_all(records.size(), runtime::threads_of(request.compute),
                          [&](std::size_t i) -> const chem::MoleculeRecord& { return records[i]; });
  }
  list.report = call.report(table);
  runtime::report_all_failed(call.outcome().failed, list.report);
  return list;
}

}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(PredictedTask, name, head, members, columns, title, category, unit, class_one, lowest,
                       highest, importance, implausible_rows, has_percentile, median_spread, largest_spread,
                       parent_tolerance, parent_differs_rows, largest_parent_difference)
MOLGAUGE_REPORT_FIELDS(PredictReport, rows, predicted, from_store, failed_records, chiral_rows,
                       standardized_rows, parent_rows, parent_differs_rows, parent_example, failed, models,
                       tasks, molecules_per_second, oom_recoveries, workers, phase)

template <>
verbs::Verb verbs::verb<PredictRequest>() {
  return planned<PredictRequest>(budget_row<PredictRequest>("predict", predict), plan_predict);
}

}  // namespace molgauge
