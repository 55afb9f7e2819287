// `headroom predict`.

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "chem/identity.h"
#include "chem/perception.h"
#include "core/error.h"
#include "data/io/molecules/molecule_reader.h"
#include "data/io/tables/csv_writer.h"
#include "data/store/features/feature_store.h"
#include "encoding/pipeline/feature_rows.h"
#include "encoding/session/chemprop_models.h"
#include "encoding/session/encoding_session.h"
#include "encoding/session/molecule_input.h"
#include "encoding/session/output_requirements.h"
#include "encoding/session/reread_input.h"
#include "models/encoders/chemprop/chemprop_encoder.h"
#include "pages/study/score_table.h"
#include "runtime/device_choice.h"
#include "runtime/failed_records.h"
#include "runtime/failure_file.h"
#include "runtime/folders.h"
#include "verbs/predict/prediction_table.h"
#include "verbs/verbs.h"

namespace headroom::verbs {
namespace {

using encoders::chemprop::ChempropEncoder;
using encoders::chemprop::ModelSet;

void require_options(const PredictRequest& request) {
  const std::string& device = request.compute.device;
  if (device != "auto" && device != "cpu") {
    throw UsageError(fmt::format("--device {}: predict runs on the CPU. Leave --device out", device));
  }
  if (std::filesystem::path(request.out).extension() != ".csv") {
    throw UsageError(
        fmt::format("--out {}: predictions are written as CSV. Give a name that ends in .csv", request.out));
  }
}

session::EncodingSession open(const PredictRequest& request, const ModelSet& set,
                              session::BudgetScope& memory) {
  auto encoder = std::make_unique<ChempropEncoder>(set, encoders::chemprop::RowContent::predictions,
                                                   session::sha256_of(set));
  const auto store = store::FeatureStore::open(session::store_folder(request.store), store::Access::write);
  auto rows = std::make_unique<pipeline::StoredRows>(store.table(pipeline::feature_space(*encoder)),
                                                     session::threads_of(request.compute));
  return {{.encoder = "chemprop",
           .store = request.store,
           .weights = request.weights,
           .strict = request.strict,
           .compute = request.compute},
          memory,
          std::move(encoder),
          std::move(rows)};
}

/// Writes the predictions while the input is read for the second time.
class PredictionWriter {
 public:
  /// `columns`: of the input, known since it was read for the first time.
  PredictionWriter(const PredictRequest& request, const std::string& input,
                   const std::vector<std::string>& columns, const ModelSet& set)
      : table_(session::table_of(input, request.smiles_column,
                                 [this](const io::MoleculeRow& row) { fields_ = row.fields; })),
        input_columns_(input_columns(columns)),
        predictions_(set, input_columns_),
        file_(request.out, header(), csv_texts(request.spreadsheet_safe)),
        width_(set.width()) {}

  const PredictionTable& predictions() const { return predictions_; }

  void write(pipeline::RowTable& rows, const pipeline::EncodeOutcome& outcome) {
    std::vector<bool> failed(outcome.keys.size());
    outcome.failed.for_each([&](const FailedMolecule& molecule) {
      failed[molecule.row] = true;
      return true;
    });
    std::size_t row = 0, absent = 0;
    pipeline::for_each_block(rows, outcome.keys, width_, [&](std::span<const float> block) {
      for (; !block.empty(); block = block.subspan(width_), ++row) {
        absent += append(block.first(width_), failed[row]) ? 0 : 1;
      }
    });
    if (absent > 0) {
      throw Error(fmt::format("{} predictions have left the feature store since they were made. {}", absent,
                              pipeline::kAdviceOnAbsentRows));
    }
    file_.finish();
  }

 private:
  std::vector<std::string> input_columns(const std::vector<std::string>& columns) const {
    if (table_.smiles_field) {
      return columns;
    }
    std::vector<std::string> names = {"line", "smiles"};
    for (const std::string& column : columns) {
      names.push_back(report::free_column_name(names, column));
    }
    return names;
  }

  std::vector<std::string> header() const {
    std::vector<std::string> header = input_columns_;
    header.insert(header.end(), predictions_.columns().begin(), predictions_.columns().end());
    return header;
  }

  /// The SMILES of a record, empty if it is not a molecule.
  static std::string smiles_of(const chem::MoleculeRecord& record, bool has_failed) {
    if (record.format == chem::RecordFormat::smiles) {
      return record.text;
    }
    return has_failed ? "" : chem::identify(record, /*with_scaffold=*/false).canonical_smiles;
  }

  /// Returns whether the row was in the store, or has failed.
  bool append(std::span<const float> row, bool has_failed) {
    const auto record = table_.source();
    if (!record) {
      throw InputError("the input has become shorter while it was read. Run the command again");
    }
    std::vector<std::string> cells = std::move(fields_);
    if (!table_.smiles_field) {
      cells.insert(cells.begin(), {std::to_string(record->line), smiles_of(*record, has_failed)});
    }
    cells.resize(input_columns_.size());
    const bool is_known = std::none_of(row.begin(), row.end(), [](float number) { return number != number; });
    if (has_failed || !is_known) {
      predictions_.append_nothing(cells);
    } else {
      predictions_.append(row, cells);
    }
    file_.append(cells);
    return has_failed || is_known;
  }

  std::vector<std::string> fields_;  ///< of the current record
  session::MoleculeTable table_;
  std::vector<std::string> input_columns_;
  PredictionTable predictions_;
  io::CsvWriter file_;
  std::size_t width_;
};

PredictReport report_of(const pipeline::EncodeOutcome& outcome, const session::EncodingSession& session,
                        const ModelSet& set, session::BudgetScope& memory) {
  PredictReport report;
  report.rows = outcome.rows;
  report.predicted = outcome.encoded;
  report.from_store = outcome.from_store;
  session::report_failed(outcome.failed, report);
  report.models = set.models.size();
  report.molecules_per_second = static_cast<double>(outcome.encoded) / outcome.seconds;
  report.oom_recoveries = outcome.memory.recoveries;
  report.workers = session.workers();
  report.phase = memory.phases().report("encoding");
  return report;
}

}  // namespace

PredictReport predict(const PredictRequest& request) {
  require_options(request);
  session::BudgetScope memory(request.compute, session::parse_device("cpu"));
  const ModelSet set =
      encoders::chemprop::read_models(session::chemprop_path(request.model, request.weights));
  session::EncodingSession session = open(request, set, memory);
  const session::RereadInput input(request.molecules, session::store_folder(request.store));
  session::MoleculeList molecules = session::list_molecules(input.path(), request.smiles_column);
  // A block of predictions, and the texts of one row.
  memory.declare_requirement(session::host_need(
      "writing " + request.out,
      molecules.records / 8 + molecules.longest_text +
          std::min(molecules.records, pipeline::kBlockRows) * set.width() * sizeof(float)));
  const session::MoleculeTable table =
      session::table_of(input.path(), request.smiles_column, [](const io::MoleculeRow&) {});
  const auto named_source = [&]() {
    auto record = table.source();
    if (record) {
      record->file = request.molecules;  // not the copy of a pipe
    }
    return record;
  };
  const pipeline::EncodeOutcome outcome = session.encode(named_source, std::move(molecules));
  PredictionWriter writer(request, input.path(), *table.columns, set);
  writer.write(session.table(), outcome);
  pipeline::write_failures(std::filesystem::path(request.out).replace_extension(".failed.csv"),
                           outcome.failed, csv_texts(request.spreadsheet_safe));
  PredictReport report = report_of(outcome, session, set, memory);
  report.tasks = writer.predictions().tasks();
  return report;
}

}  // namespace headroom::verbs
