// `headroom predict`.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "chem/identity.h"
#include "chem/perception.h"
#include "core/error.h"
#include "core/log.h"
#include "data/io/molecules/molecule_reader.h"
#include "data/io/molecules/named_table.h"
#include "data/io/tables/csv_writer.h"
#include "data/store/features/feature_store.h"
#include "encoding/pipeline/feature_rows.h"
#include "encoding/session/chemprop_models.h"
#include "encoding/session/encoding_phase.h"
#include "encoding/session/encoding_session.h"
#include "encoding/session/molecule_input.h"
#include "encoding/session/output_requirements.h"
#include "encoding/session/reread_input.h"
#include "pages/study/score_table.h"
#include "runtime/device_choice.h"
#include "runtime/failed_records.h"
#include "runtime/failure_file.h"
#include "runtime/folders.h"
#include "verbs/predict/descriptor_columns.h"
#include "verbs/predict/predict_with.h"
#include "verbs/predict/prediction_table.h"
#include "verbs/predict/spellings.h"
#include "verbs/verbs.h"

namespace headroom::verbs {
namespace {

using encoders::chemprop::ChempropEncoder;
using encoders::chemprop::ModelSet;
using encoders::chemprop::RowContent;

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

void require_order(const PredictRequest& request) {
  const std::filesystem::path extension = std::filesystem::path(request.molecules).extension();
  if (extension == ".pt" || extension == ".ckpt") {
    throw UsageError(
        fmt::format("MOLECULES {}: is a model. Give the model first: headroom predict MODEL MOLECULES",
                    request.molecules));
  }
}

/// Returns the content of the rows in the store. If a model takes descriptors, its predictions depend on
/// them. Then the store keeps the learned features of the molecules instead of predictions.
RowContent stored_rows(const ModelSet& set) {
  return set.descriptors() > 0 ? RowContent::fingerprints : RowContent::predictions;
}

/// Bytes for reading the stored rows of `records` molecules, block by block. `width`: numbers in a stored
/// row.
std::uint64_t reading_bytes(const ModelSet& set, std::size_t width, std::size_t records) {
  const std::size_t numbers = width + (set.descriptors() > 0 ? set.width() : 0);
  return std::min(records, pipeline::kBlockRows) *
         (numbers * sizeof(float) + set.descriptors() * sizeof(double));
}

/// The memory for writing the predictions. It holds a block of predictions, the texts of one row, and a bit
/// for each record.
session::MemoryRequirement need_of_writing(const PredictRequest& request, const ModelSet& set,
                                           std::size_t width, const session::MoleculeList& molecules) {
  return session::host_need("writing " + request.out, molecules.records / 8 + molecules.longest_text +
                                                          reading_bytes(set, width, molecules.records));
}

std::vector<bool> failed_rows(const pipeline::EncodeOutcome& outcome) {
  std::vector<bool> failed(outcome.keys.size());
  outcome.failed.for_each([&](const FailedMolecule& molecule) {
    failed[molecule.row] = true;
    return true;
  });
  return failed;
}

void require_present(std::size_t absent, const pipeline::EncodeOutcome& outcome) {
  if (absent > outcome.failed.size()) {
    throw Error(fmt::format("{} predictions are no longer in the feature store. {}",
                            absent - outcome.failed.size(), pipeline::kAdviceOnAbsentRows));
  }
}

/// Turns rows of the store into predictions.
class Heads {
 public:
  Heads(const ChempropEncoder& encoder, const ModelSet& set)
      : encoder_(encoder), has_descriptors_(set.descriptors() > 0), width_(set.width()) {}

  std::size_t stored_width() const { return encoder_.width(); }
  std::size_t width() const { return width_; }

  /// The result is valid until the next call or until `stored` is destroyed.
  std::span<const float> predict(std::span<const float> stored, std::span<const double> descriptors) {
    if (!has_descriptors_) {
      return stored;
    }
    predictions_.resize(stored.size() / encoder_.width() * width_);
    encoder_.predict(stored, descriptors, predictions_);
    return predictions_;
  }

 private:
  const ChempropEncoder& encoder_;
  bool has_descriptors_;
  std::size_t width_;
  std::vector<float> predictions_;
};

/// Reads the stored rows of the other spellings, molecule by molecule.
class SpellingRows {
 public:
  SpellingRows(pipeline::RowTable& rows, const EncodedSpellings& encoded, std::size_t width)
      : table_(rows),
        encoded_(encoded),
        failed_(failed_rows(encoded.outcome)),
        width_(width),
        rows_(kOtherSpellings * width) {}

  /// The rows of the next chiral molecule, without spellings that failed.
  std::vector<float> next() {
    const auto keys = std::span(encoded_.outcome.keys).subspan(next_, kOtherSpellings);
    absent_ += pipeline::gather_rows(table_, keys, rows_);
    require_present(absent_, encoded_.outcome);
    std::vector<float> present;
    for (std::size_t i = 0; i < kOtherSpellings; ++i) {
      if (!failed_[next_ + i]) {
        const auto row = std::span(rows_).subspan(i * width_, width_);
        present.insert(present.end(), row.begin(), row.end());
      }
    }
    next_ += kOtherSpellings;
    return present;
  }

 private:
  pipeline::RowTable& table_;
  const EncodedSpellings& encoded_;
  std::vector<bool> failed_;
  std::size_t width_, next_ = 0, absent_ = 0;
  std::vector<float> rows_;
};

/// One call of the verb, for a file or for molecules in memory.
class PredictCall {
 public:
  using OpenSource = std::function<pipeline::MoleculeSource()>;

  PredictCall(const PredictRequest& request, const ModelSet& set, bool allow_all_failed)
      : request_(request),
        set_(set),
        memory_(request.compute, session::parse_device("cpu")),
        session_(open(allow_all_failed)),
        threads_(session::threads_of(request.compute)) {}

  session::BudgetScope& memory() { return memory_; }
  std::size_t stored_width() const { return session_.encoder().width(); }
  /// Predicts the molecules that are not in the store. `source`: each call returns a new source that begins
  /// with the first record.
  void predict(const OpenSource& source, session::MoleculeList molecules) {
    session::MoleculeList spellings;
    if (request_.check_spellings) {
      spellings = list_spellings(source());
      if (spellings.records > 0) {
        session::MemoryRequirement need = session_.smallest_need(spellings);
        need.what = "predicting other spellings";
        need.host_bytes += bytes_beside_spellings(spellings, molecules.records, set_, threads_);
        memory_.declare_requirement(std::move(need));
      }
    }
    outcome_ = session_.encode(source(), std::move(molecules));
    workers_ = session_.workers();
    if (spellings.records > 0) {
      spellings_ =
          encode_spellings(session_, source(), failed_rows(outcome_), std::move(spellings), threads_);
    }
  }

  /// Calls visit(number, row of predictions, spread, has failed) for each molecule in order. The spread is
  /// empty if the molecule is not chiral. Throws Error if the store lacks rows of molecules that did not
  /// fail. NaN does not mark such a row, because a prediction may be NaN.
  template <typename Visit>
  void for_each_prediction(const PredictionTable& table, const DescriptorSource& descriptors,
                           const Visit& visit) {
    const auto& encoder = dynamic_cast<const ChempropEncoder&>(session_.encoder());
    Heads heads(encoder, set_), heads_of_spellings(encoder, set_);
    std::optional<SpellingRows> others;
    if (!spellings_.is_chiral.empty()) {
      others.emplace(session_.table(), spellings_, encoder.width());
    }
    spreads_.emplace(table.tasks().size());
    const std::vector<bool> failed = failed_rows(outcome_);
    std::size_t number = 0;
    const auto visit_block = [&](std::span<const float> stored) {
      const std::size_t rows = stored.size() / encoder.width(), width = set_.width();
      const std::vector<double> inputs = descriptors ? descriptors(rows) : std::vector<double>();
      const std::span<const float> predictions = heads.predict(stored, inputs);
      for (std::size_t i = 0; i < rows; ++i, ++number) {
        const auto row = predictions.subspan(i * width, width);
        std::vector<float> spread;
        if (others && spellings_.is_chiral[number]) {
          const auto own = std::span(inputs).subspan(i * set_.descriptors(), set_.descriptors());
          spread = spread_of(row, others->next(), own, heads_of_spellings, table);
          spreads_->add(spread);
        }
        visit(number, row, spread, failed[number]);
      }
    };
    require_present(pipeline::for_each_block(session_.table(), outcome_.keys, encoder.width(), visit_block),
                    outcome_);
  }

  const pipeline::EncodeOutcome& outcome() const { return outcome_; }

  /// The report without failed molecules. Warns if the predictions depend on the spelling.
  PredictReport report(const PredictionTable& table) {
    PredictReport report;
    report.rows = outcome_.rows;
    report.predicted = outcome_.encoded;
    report.from_store = outcome_.from_store;
    report.models = set_.models.size();
    report.molecules_per_second = static_cast<double>(outcome_.encoded) / outcome_.seconds;
    report.oom_recoveries = outcome_.memory.recoveries + spellings_.outcome.memory.recoveries;
    report.workers = workers_;
    report.phase = memory_.phases().report("encoding");
    report.tasks = table.tasks();
    spreads_->report_to(report);
    if (const std::string warning = spelling_warning(report); !warning.empty()) {
      log_warning("{}", warning);
    }
    return report;
  }

 private:
  session::EncodingSession open(bool allow_all_failed) {
    auto encoder = session::make_chemprop_encoder(set_, stored_rows(set_));
    const auto store = store::FeatureStore::open(session::store_folder(request_.store), store::Access::write);
    auto rows = std::make_unique<pipeline::StoredRows>(store.table(pipeline::feature_space(*encoder)),
                                                       session::threads_of(request_.compute));
    return {{.encoder = session::kChemprop,
             .store = request_.store,
             .weights = request_.weights,
             .strict = request_.strict,
             .allow_all_failed = allow_all_failed,
             .compute = request_.compute},
            memory_,
            std::move(encoder),
            std::move(rows)};
  }

  /// Returns the spread over all spellings of a molecule. `row`: the predictions for the spelling in the
  /// input. `others`: stored rows of the other spellings.
  std::vector<float> spread_of(std::span<const float> row, const std::vector<float>& others,
                               std::span<const double> descriptors, Heads& heads,
                               const PredictionTable& table) const {
    const std::size_t count = others.size() / heads.stored_width();
    std::vector<double> repeated;
    for (std::size_t i = 0; i < count; ++i) {
      repeated.insert(repeated.end(), descriptors.begin(), descriptors.end());
    }
    std::vector<float> rows(row.begin(), row.end());
    const std::span<const float> predicted = heads.predict(others, repeated);
    rows.insert(rows.end(), predicted.begin(), predicted.end());
    return table.spread(rows);
  }

  const PredictRequest& request_;
  const ModelSet& set_;
  session::BudgetScope memory_;
  session::EncodingSession session_;
  std::size_t threads_, workers_ = 0;
  pipeline::EncodeOutcome outcome_;
  EncodedSpellings spellings_;
  std::optional<Spreads> spreads_;
};

/// Writes the predictions while the input is read for the second time.
class PredictionWriter {
 public:
  /// `columns`: columns of the input, which are known after it was read for the first time.
  PredictionWriter(const PredictRequest& request, const std::string& input,
                   const std::vector<std::string>& columns, const ModelSet& set)
      : table_(session::table_of(input, request.smiles_column,
                                 [this](const io::MoleculeRow& row) { fields_ = row.fields; })),
        input_columns_(input_columns(columns)),
        predictions_(set, input_columns_, request.check_spellings),
        file_(request.out, header(), csv_texts(request.spreadsheet_safe)) {}

  const PredictionTable& predictions() const { return predictions_; }

  void write(PredictCall& call, const DescriptorSource& descriptors) {
    call.for_each_prediction(
        predictions_, descriptors,
        [&](std::size_t /*number*/, std::span<const float> row, const std::vector<float>& spread,
            bool has_failed) { append(row, spread, has_failed); });
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

  void append(std::span<const float> row, const std::vector<float>& spread, bool has_failed) {
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
      predictions_.append(row, spread, cells);
    }
    file_.append(cells);
  }

  std::vector<std::string> fields_;  ///< fields of the current record
  session::MoleculeTable table_;
  std::vector<std::string> input_columns_;
  PredictionTable predictions_;
  io::CsvWriter file_;
};

}  // namespace

PredictReport predict(const PredictRequest& request) {
  require_order(request);
  require_device(request);
  require_output(request);
  return predict_with(request, *session::read_chemprop(request.model, request.weights).set);
}

PredictReport predict_with(const PredictRequest& request, const ModelSet& set) {
  const std::vector<std::string> names = descriptor_names(request.descriptor_columns, set);
  require_chirality(request, set);
  PredictCall call(request, set, /*allow_all_failed=*/false);
  const session::RereadInput input(request.molecules, session::store_folder(request.store));
  const DescriptorSource descriptors =
      descriptors_of(DescribedFile{input.path(), request.molecules, request.smiles_column}, names);
  session::MoleculeList molecules = session::list_molecules(input.path(), request.smiles_column);
  call.memory().declare_requirement(need_of_writing(request, set, call.stored_width(), molecules));
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
  PredictionWriter writer(request, input.path(), *columns, set);
  writer.write(call, descriptors);
  pipeline::write_failures(std::filesystem::path(request.out).replace_extension(".failed.csv"),
                           call.outcome().failed, csv_texts(request.spreadsheet_safe));
  PredictReport report = call.report(writer.predictions());
  session::report_failed(call.outcome().failed, report);
  return report;
}

std::vector<MemoryPlan> plan_predict(const PredictRequest& request) {
  require_order(request);
  require_device(request);
  return plan_predict_with(request, *session::read_chemprop(request.model, request.weights).set, "");
}

std::vector<MemoryPlan> plan_predict_with(const PredictRequest& request, const ModelSet& set,
                                          const char* which) {
  require_chirality(request, set);
  session::BudgetScope memory(request.compute, session::parse_device("cpu"));
  const auto encoder = session::make_chemprop_encoder(set, stored_rows(set));
  const session::MoleculeList molecules =
      session::require_molecules(request.molecules, request.smiles_column);
  memory.declare_requirement(need_of_writing(request, set, encoder->width(), molecules));
  std::vector<MemoryPlan> plans;
  const auto plan = [&](const session::MoleculeList& list, const std::string& work, std::uint64_t beside) {
    plans.push_back(session::plan_encoding_phase(*encoder, list, memory, request.compute, /*batch_atoms=*/0,
                                                 {.bytes_beside = beside}));
    plans.back().work = work + which;
  };
  plan(molecules, "predict with chemprop", /*beside=*/0);
  if (request.check_spellings && io::is_rereadable(request.molecules)) {
    const session::MoleculeList spellings =
        list_spellings(session::molecules_of(request.molecules, request.smiles_column));
    if (spellings.records > 0) {
      plan(spellings, "predict other spellings with chemprop",
           bytes_beside_spellings(spellings, molecules.records, set, session::threads_of(request.compute)));
    }
  }
  return session::with_total_budget(std::move(plans), memory);
}

PredictedList predict(const PredictRequest& request, const MoleculeTable& molecules) {
  if (!request.molecules.empty() || !request.out.empty()) {
    throw UsageError("in-memory prediction does not accept file paths. Remove `molecules` and `out`");
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
  const DescriptorSource descriptors =
      descriptors_of(molecules, descriptor_names(request.descriptor_columns, set));
  require_chirality(request, set);
  const PredictionTable table(set, {"smiles", "name", "reason"}, request.check_spellings);
  PredictedList list;
  for (const std::string& column : table.columns()) {
    list.columns.push_back({column, std::vector<double>(smiles.size(), std::nan(""))});
  }
  PredictCall call(request, set, /*allow_all_failed=*/true);
  call.memory().declare_requirement(session::host_need(
      "returning the predictions", reading_bytes(set, call.stored_width(), smiles.size())));
  call.predict([&] { return pipeline::source_of(records); }, session::list_molecules(records));
  call.for_each_prediction(
      table, descriptors,
      [&](std::size_t number, std::span<const float> row, const std::vector<float>& spread, bool has_failed) {
        if (has_failed) {
          return;
        }
        const std::vector<float> numbers = table.numbers(row, spread);
        for (std::size_t column = 0; column < numbers.size(); ++column) {
          list.columns[column].values[number] = static_cast<double>(numbers[column]);
        }
      });
  list.report = call.report(table);
  session::report_all_failed(call.outcome().failed, list.report);
  return list;
}

}  // namespace headroom::verbs
