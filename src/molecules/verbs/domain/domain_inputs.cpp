#include "molecules/verbs/domain/domain_inputs.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/progress.h"
#include "base/core/threads/worker_group.h"
#include "base/io/bytes/line_reader.h"
#include "base/runtime/device_choice.h"
#include "molecules/chem/description.h"
#include "molecules/datasets/label_column.h"
#include "molecules/encoding/session/chemprop_models.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/required_columns.h"
#include "molecules/encoding/session/same_records.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/ood/run/python_run.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/store/weights/model_files.h"
#include "molecules/verbs/domain/domain_labels.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/training_collector.h"

namespace molgauge::verbs {
namespace {

std::vector<std::pair<std::size_t, std::string>> reasons_of(pipeline::EncodeOutcome& outcome,
                                                            const std::string& shown,
                                                            pipeline::FailureLog& failed) {
  std::vector<std::pair<std::size_t, std::string>> reasons;
  outcome.failed.for_each([&](FailedMolecule&& molecule) {
    reasons.emplace_back(molecule.row, molecule.reason);
    molecule.file = shown;
    failed.append(molecule);
    return true;
  });
  return reasons;
}

const std::string* reason_for(const std::vector<std::pair<std::size_t, std::string>>& reasons,
                              std::size_t row) {
  const auto found =
      std::lower_bound(reasons.begin(), reasons.end(), row,
                       [](const auto& reason, std::size_t wanted) { return reason.first < wanted; });
  return found == reasons.end() || found->first != row ? nullptr : &found->second;
}

}  // namespace

void require_same_features(const domain::FeatureSource& source, const std::string& folder,
                           const encoders::Encoder& encoder) {
  const std::string identity = session::encoder_identity(encoder);
  if (identity != source.identity) {
    throw InputError(
        fmt::format("{}: was made with the features {}, but the encoder now gives {}. Use the same weights "
                    "and --precision as before, or make it again",
                    folder, source.identity, identity));
  }
}

void require_same_features(const domain::SavedDomain& saved, const std::string& folder,
                           const encoders::Encoder& encoder) {
  require_same_features(saved.source, folder, encoder);
  if (const std::size_t width = saved.domain->training().width; width != encoder.width()) {
    throw InputError(
        fmt::format("{}: its features have {} numbers, but the encoder gives {}. Make it again with molgauge "
                    "domain TRAIN CANDIDATES --save",
                    folder, width, encoder.width()));
  }
}

domain::FeatureSource source_of(const DomainRequest& request) {
  domain::FeatureSource source{.encoder = request.encoder.empty() ? "minimol" : request.encoder,
                               .features = request.features.empty() ? "native" : request.features,
                               .identity = "",
                               .placement = request.placement};
  if (!request.model.empty()) {
    const auto refuse = [](const char* option, bool given) {
      if (given) {
        throw UsageError(
            fmt::format("{}: has no effect, because --model determines it. Leave it out", option));
      }
    };
    refuse("--encoder", !request.encoder.empty());
    refuse("--features", !request.features.empty());
    refuse("--precision", !request.compute.precision.empty());
    refuse("--conformer-fallback", request.placement.conformer_fallback != ConformerFallback::by_default);
    refuse("--conformer-engine", request.placement.conformer_engine != ConformerEngine::by_default);
    refuse("--max-atoms", request.placement.max_atoms.has_value());
    const bool is_published = store::find_published_models(request.model) != nullptr;
    if (!is_published && domain::is_saved_domain(request.model)) {
      source = domain::load_feature_source(request.model);
      if (source.tuned.empty()) {
        throw UsageError(
            fmt::format("--model {}: this domain was saved with the encoder {}. Leave --model out and add "
                        "--encoder {}",
                        request.model, source.encoder, source.encoder));
      }
      return source;
    }
    if (session::is_chemprop(request.model)) {
      source.encoder = session::kChemprop;
      session::ChempropModels models = session::read_chemprop(request.model, request.weights);
      source.tuned = std::move(models.path);
      source.models = std::move(models.set);
      source.placement = {};
      return source;
    }
    if (ood::find_python_run(request.model)) {
      throw UsageError(
          fmt::format("--model {}: is a run of the Python project, whose encoder has the published weights. "
                      "Leave --model out",
                      request.model));
    }
    if (!std::filesystem::exists(std::filesystem::path(request.model) / "config.json")) {
      throw InputError(
          fmt::format("--model {}: is neither a model of chemprop nor a run folder. Give a .pt or .ckpt file "
                      "of chemprop, a folder of .pt files, admet-ai, a run of molgauge train "
                      "--finetune-encoder, or a saved domain of one of them",
                      request.model));
    }
    const TrainRequest trained = ood::read_run_config(request.model).request;
    session::RunFeatures features = session::features_of_run(trained, request.model);
    if (features.tuned.empty()) {
      throw UsageError(
          fmt::format("--model {}: its training did not change the encoder."
                      " Leave "
                      "--model out and add --encoder {}, or name a run of molgauge train --finetune-encoder",
                      request.model, trained.encoder));
    }
    source.encoder = std::move(features.encoder);
    source.features = std::move(features.features);
    source.tuned = std::move(features.tuned);
    source.placement = features.placement;
  }
  source.placement.conformer_deadline.reset();
  return source;
}

session::EncodingSettings settings_of(const DomainRequest& request, const domain::FeatureSource& source) {
  PlacementOptions placement = source.placement;
  placement.conformer_deadline = request.placement.conformer_deadline;
  return {.encoder = source.encoder,
          .store = request.store,
          .weights = request.weights,
          .features = source.features,
          .strict = request.strict,
          .tuned = source.tuned,
          .models = source.models,
          .placement = placement,
          .compute = request.compute};
}

chem::Standardization standardize_of(const DomainRequest& request) {
  const Standardize mode = request.standardize.value_or(Standardize::parent);
  if (mode == Standardize::none && request.keep_isotopes) {
    throw UsageError(
        "--keep-isotopes has no effect with --standardize none, which keeps the drawing. Leave it out");
  }
  return {mode, request.keep_isotopes};
}

void require_model(const DomainRequest& request, const encoders::Encoder& encoder) {
  if (request.model.empty() || session::is_chemprop(request.model)) {
    return;
  }
  if (domain::is_saved_domain(request.model)) {
    require_same_features(domain::load_feature_source(request.model), request.model, encoder);
  } else {
    ood::require_encoder(request.model, ood::read_run_config(request.model), encoder.identity().encoder,
                         session::encoder_identity(encoder), encoder.width());
  }
}

domain::TrainingSet read_training(const DomainRequest& request, chem::Standardization mode,
                                  session::MoleculeList molecules, session::EncodingSession& session,
                                  std::size_t threads, memory::PhaseRecorder& phases,
                                  pipeline::FailureLog& failed) {
  const std::string& path = request.training;
  std::vector<Hash128> drawn;
  drawn.reserve(molecules.records);
  pipeline::EncodeOutcome outcome = session.encode(
      session::standardized_source(
          session::recording_keys(session::molecules_of(path, request.training_smiles_column), drawn),
          session::standardize_before_encoding(mode, request.features), threads),
      std::move(molecules));
  const auto reasons = reasons_of(outcome, path, failed);
  const memory::Phase phase = phases.begin("describing");

  io::MoleculeReaderOptions options;
  options.smiles_column = request.training_smiles_column;
  options.smiles_option = "--train-smiles-column";
  if (!request.label_column.empty()) {
    options.extra_columns.push_back(request.label_column);
  }
  if (!request.name_column.empty()) {
    options.extra_columns.push_back(request.name_column);
  }
  options.own_columns = io::OwnColumns::all;
  const auto reader = io::open_molecules(path, options);
  const bool has_values = !request.label_column.empty();
  datasets::LabelColumn labels(request.label_column);
  TrainingCollector collector(has_values, failed);
  std::vector<TrainingRow> rows;
  Progress progress("describe", "molecule", outcome.keys.size(), request.compute.quiet);
  const auto take_rows = [&] {
    parallel_for(rows.size(), threads, [&](std::size_t i) {
      if (reason_for(reasons, rows[i].record.row) != nullptr) {
        return;
      }
      try {
        rows[i].description = chem::describe(rows[i].record, mode);
      } catch (const chem::InvalidMolecule& problem) {
        rows[i].unreadable = problem.what();
      }
    });
    std::vector<Hash128> keys;
    for (const TrainingRow& row : rows) {
      if (row.description) {
        keys.push_back(outcome.keys[row.record.row]);
      }
    }
    const std::size_t width = session.encoder().width();
    const ops::Floats features = keys.empty() ? ops::Floats() : session.features(keys);
    std::size_t next = 0;
    for (TrainingRow& row : rows) {
      const bool readable = row.description.has_value();
      collector.add(row,
                    readable ? features.numbers().subspan(next * width, width) : std::span<const float>());
      next += readable ? 1 : 0;
    }
    progress.advance(rows.size());
    rows.clear();
  };
  session::SameRecords same(path, drawn);
  std::vector<std::string> columns;
  while (auto row = reader->next()) {
    if (row->fields.size() != options.extra_columns.size() + columns.size()) {
      columns = reader->columns();  // more columns of an .sdf become known while it is read
    }
    same.require_next(row->record);
    TrainingRow own;
    const std::size_t named = has_values ? 1 : 0, all = options.extra_columns.size();
    own.value = has_values ? labels.read(row->fields[0], row->record) : 0;
    if (!request.name_column.empty()) {
      own.name = row->fields[named];
    } else {
      own.name = io::name_in_row(columns, std::span(row->fields).subspan(all));
    }
    own.record = std::move(row->record);
    rows.push_back(std::move(own));
    if (rows.size() == kTrainingRowsAtOnce) {
      take_rows();
    }
  }
  same.require_end();
  labels.require_valid();
  take_rows();
  domain::TrainingSet set = collector.finish();
  set.labels.censored = censored_in(labels);
  return set;
}

CandidateList::CandidateList(const DomainRequest& request, chem::Standardization mode, std::string path,
                             std::string shown, session::MoleculeList molecules,
                             session::EncodingSession& session, pipeline::FailureLog& failed,
                             const PredictedColumns* predicted)
    : request_(request),
      path_(std::move(path)),
      shown_(std::move(shown)),
      session_(session),
      predicted_(predicted) {
  drawn_.reserve(molecules.records);
  pipeline::EncodeOutcome outcome = session_.encode(
      session::standardized_source(
          session::recording_keys(session::molecules_of(path_, request_.smiles_column), drawn_), mode,
          runtime::threads_of(request_.compute)),
      std::move(molecules));
  reasons_ = reasons_of(outcome, shown_, failed);
  keys_ = std::move(outcome.keys);
}

Hash128 CandidateList::fingerprint() const {
  GrowingHash128 hash;
  hash.append(std::as_bytes(std::span(keys_)));
  hash.append(std::as_bytes(std::span(drawn_)));  // different drawings can have equal keys_
  return hash.value();
}

Hash128 CandidateList::failures(std::size_t first, std::size_t count) const {
  GrowingHash128 hash;
  const auto from =
      std::ranges::lower_bound(reasons_, first, {}, &std::pair<std::size_t, std::string>::first);
  for (auto reason = from; reason != reasons_.end() && reason->first < first + count; ++reason) {
    const std::string text = fmt::format("{} {}\n", reason->first, reason->second);
    hash.append(std::as_bytes(std::span(text)));
  }
  return hash.value();
}

void CandidateList::for_each_block(std::size_t count, const Visit& visit) {
  io::MoleculeReaderOptions options;
  options.smiles_column = request_.smiles_column;
  options.own_columns = io::OwnColumns::all;
  const auto reader = io::open_molecules(path_, options);
  std::optional<PredictedColumns::Reader> predictions;
  if (predicted_ != nullptr) {
    predictions.emplace(*predicted_);
  }
  std::vector<CandidateRow> rows;
  std::size_t block = 0;
  session::SameRecords same(shown_, drawn_);
  const auto pass_on = [&] {
    visit(block++, rows);
    rows.clear();
  };
  while (auto row = reader->next()) {
    same.require_next(row->record);
    row->record.file = shown_;
    are_mol_blocks_ = row->record.format == chem::RecordFormat::molblock;
    if (predictions) {
      predictions->append_next(row->fields);
    }
    rows.push_back({std::move(row->record), std::move(row->fields)});
    if (rows.size() == count) {
      pass_on();
    }
  }
  same.require_end();
  if (!rows.empty()) {
    pass_on();
  }
  columns_ = reader->columns();
  if (predicted_ != nullptr) {
    columns_.insert(columns_.end(), predicted_->names().begin(), predicted_->names().end());
  }
}

std::string CandidateList::name_of(const CandidateRow& row) const {
  const std::string name = io::name_in_row(columns_, row.fields);
  return name.empty() ? fmt::format("line {}", row.record.line) : name;
}

std::vector<domain::JudgedRecord> CandidateList::judged(std::size_t first,
                                                        const std::vector<CandidateRow>& rows) {
  std::vector<domain::JudgedRecord> records(rows.size());
  std::vector<Hash128> keys;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    records[i].record = rows[i].record;
    if (const std::string* const reason = reason_for(reasons_, first + i)) {
      records[i].unreadable = *reason;
    } else {
      keys.push_back(keys_[first + i]);
    }
  }
  const std::size_t width = session_.encoder().width();
  const ops::Floats features = keys.empty() ? ops::Floats() : session_.features(keys);
  std::size_t next = 0;
  for (domain::JudgedRecord& record : records) {
    if (record.unreadable.empty()) {
      const auto row = features.numbers().subspan(next++ * width, width);
      record.features.assign(row.begin(), row.end());
    }
  }
  return records;
}

}  // namespace molgauge::verbs
