// `headroom predict`.

#include <algorithm>
#include <cmath>
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

void require_device(const PredictRequest& request) {
  const std::string& device = request.compute.device;
  if (device != "auto" && device != "cpu") {
    throw UsageError(fmt::format("--device {}: predict runs on the CPU. Leave --device out", device));
  }
}

void require_output(const PredictRequest& request) {
  if (std::filesystem::path(request.out).extension() != ".csv") {
    throw UsageError(
        fmt::format("--out {}: predictions are written as CSV. Give a name that ends in .csv", request.out));
  }
}

session::EncodingSession open(const PredictRequest& request, const ModelSet& set,
                              session::BudgetScope& memory, bool allow_all_failed) {
  auto encoder = std::make_unique<ChempropEncoder>(set, encoders::chemprop::RowContent::predictions,
                                                   session::sha256_of(set));
  const auto store = store::FeatureStore::open(session::store_folder(request.store), store::Access::write);
  auto rows = std::make_unique<pipeline::StoredRows>(store.table(pipeline::feature_space(*encoder)),
                                                     session::threads_of(request.compute));
  return {{.encoder = session::kChemprop,
           .store = request.store,
           .weights = request.weights,
           .strict = request.strict,
           .allow_all_failed = allow_all_failed,
           .compute = request.compute},
          memory,
          std::move(encoder),
          std::move(rows)};
}

std::vector<bool> failed_rows(const pipeline::EncodeOutcome& outcome) {
  std::vector<bool> failed(outcome.keys.size());
  outcome.failed.for_each([&](const FailedMolecule& molecule) {
    failed[molecule.row] = true;
    return true;
  });
  return failed;
}

/// Calls visit(number, row of the store, has failed) for each molecule, in order. A prediction may be NaN.
/// Whether a row is missing is therefore asked from the store. Throws Error if the row of a molecule that did
/// not fail is missing.
template <typename Visit>
void for_each_prediction(pipeline::RowTable& rows, const pipeline::EncodeOutcome& outcome, std::size_t width,
                         const Visit& visit) {
  const std::vector<bool> failed = failed_rows(outcome);
  std::size_t number = 0;
  const std::size_t absent =
      pipeline::for_each_block(rows, outcome.keys, width, [&](std::span<const float> block) {
        for (; !block.empty(); block = block.subspan(width), ++number) {
          visit(number, block.first(width), failed[number]);
        }
      });
  if (absent > outcome.failed.size()) {
    throw Error(fmt::format("{} predictions are no longer in the feature store. {}",
                            absent - outcome.failed.size(), pipeline::kAdviceOnAbsentRows));
  }
}

/// Writes the predictions while the input is read for the second time.
class PredictionWriter {
 public:
  /// `columns`: columns of the input, which are known after it was read for the first time.
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
    for_each_prediction(rows, outcome, width_,
                        [&](std::size_t /*number*/, std::span<const float> row, bool has_failed) {
                          append(row, has_failed);
                        });
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

  /// Returns the SMILES of a record, or an empty text if the record is not a molecule.
  static std::string smiles_of(const chem::MoleculeRecord& record, bool has_failed) {
    if (record.format == chem::RecordFormat::smiles) {
      return record.text;
    }
    return has_failed ? "" : chem::identify(record, /*with_scaffold=*/false).canonical_smiles;
  }

  void append(std::span<const float> row, bool has_failed) {
    const auto record = table_.source();
    if (!record) {
      throw InputError("another program changed the input while it was read. Run the command again");
    }
    std::vector<std::string> cells = std::move(fields_);
    if (!table_.smiles_field) {
      cells.insert(cells.begin(), {std::to_string(record->line), smiles_of(*record, has_failed)});
    }
    cells.resize(input_columns_.size());
    if (has_failed) {
      predictions_.append_nothing(cells);
    } else {
      predictions_.append(row, cells);
    }
    file_.append(cells);
  }

  std::vector<std::string> fields_;  ///< fields of the current record
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
  report.models = set.models.size();
  report.molecules_per_second = static_cast<double>(outcome.encoded) / outcome.seconds;
  report.oom_recoveries = outcome.memory.recoveries;
  report.workers = session.workers();
  report.phase = memory.phases().report("encoding");
  return report;
}

}  // namespace

PredictReport predict(const PredictRequest& request) {
  require_device(request);
  require_output(request);
  session::BudgetScope memory(request.compute, session::parse_device("cpu"));
  const ModelSet set =
      encoders::chemprop::read_models(session::chemprop_path(request.model, request.weights));
  session::EncodingSession session = open(request, set, memory, /*allow_all_failed=*/false);
  const session::RereadInput input(request.molecules, session::store_folder(request.store));
  session::MoleculeList molecules = session::list_molecules(input.path(), request.smiles_column);
  // Memory for a block of predictions, and for the texts of one row.
  memory.declare_requirement(session::host_need(
      "writing " + request.out,
      molecules.records / 8 + molecules.longest_text +
          std::min(molecules.records, pipeline::kBlockRows) * set.width() * sizeof(float)));
  const session::MoleculeTable table =
      session::table_of(input.path(), request.smiles_column, [](const io::MoleculeRow&) {});
  const auto named_source = [&]() {
    auto record = table.source();
    if (record) {
      record->file = request.molecules;  // the name of the input, and not of the copy of a pipe
    }
    return record;
  };
  const pipeline::EncodeOutcome outcome = session.encode(named_source, std::move(molecules));
  PredictionWriter writer(request, input.path(), *table.columns, set);
  writer.write(session.table(), outcome);
  pipeline::write_failures(std::filesystem::path(request.out).replace_extension(".failed.csv"),
                           outcome.failed, csv_texts(request.spreadsheet_safe));
  PredictReport report = report_of(outcome, session, set, memory);
  session::report_failed(outcome.failed, report);
  report.tasks = writer.predictions().tasks();
  return report;
}

PredictedList predict(const PredictRequest& request, std::span<const std::string> smiles) {
  if (!request.molecules.empty() || !request.out.empty()) {
    throw UsageError("in-memory prediction does not accept file paths. Remove `molecules` and `out`");
  }
  require_device(request);
  std::vector<chem::MoleculeRecord> records(smiles.size());
  for (std::size_t row = 0; row < smiles.size(); ++row) {
    records[row].text = smiles[row];
    records[row].row = row;
    records[row].line = row + 1;
    records[row].file = "molecules";
  }
  session::BudgetScope memory(request.compute, session::parse_device("cpu"));
  const ModelSet set =
      encoders::chemprop::read_models(session::chemprop_path(request.model, request.weights));
  const PredictionTable table(set, {"smiles", "name", "reason"});
  PredictedList list;
  for (const std::string& column : table.columns()) {
    list.columns.push_back({column, std::vector<double>(smiles.size(), std::nan(""))});
  }
  session::EncodingSession session = open(request, set, memory, /*allow_all_failed=*/true);
  // Memory for a block of rows of the store.
  memory.declare_requirement(
      session::host_need("returning the predictions",
                         std::min(smiles.size(), pipeline::kBlockRows) * set.width() * sizeof(float)));
  const pipeline::EncodeOutcome outcome =
      session.encode(pipeline::source_of(records), session::list_molecules(records));
  for_each_prediction(session.table(), outcome, set.width(),
                      [&](std::size_t number, std::span<const float> row, bool has_failed) {
                        if (has_failed) {
                          return;
                        }
                        const std::vector<float> numbers = table.numbers(row);
                        for (std::size_t column = 0; column < numbers.size(); ++column) {
                          list.columns[column].values[number] = static_cast<double>(numbers[column]);
                        }
                      });
  list.report = report_of(outcome, session, set, memory);
  session::report_all_failed(outcome.failed, list.report);
  list.report.tasks = table.tasks();
  return list;
}

}  // namespace headroom::verbs
