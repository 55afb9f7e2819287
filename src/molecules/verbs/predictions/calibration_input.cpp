#include "molecules/verbs/predictions/calibration_input.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/core/text/counted.h"
#include "base/core/threads/worker_group.h"
#include "molecules/chem/description.h"
#include "molecules/encoding/session/same_records.h"
#include "molecules/encoding/session/standardized_source.h"
#include "molecules/judging/predictions/calibration_places.h"
#include "molecules/judging/predictions/in_sample.h"
#include "molecules/judging/predictions/simple_model.h"
#include "molecules/verbs/domain/domain_needs.h"

namespace molgauge::verbs {
namespace {

/// Calibration molecules with their compared properties.
struct ReadMolecules {
  domain::Molecules molecules;
  std::vector<std::string> smiles, scaffolds;  ///< canonical SMILES of molecules and scaffolds
  std::vector<MeasuredRow> rows;
  std::vector<std::size_t> lines;  ///< lines in the calibration file
};

struct ReadRow {
  chem::MoleculeRecord record;
  MeasuredRow measured;
  std::optional<chem::Description> description;
  std::string unreadable;
};

/// Reads the molecules that have a measured value and a prediction.
ReadMolecules read_molecules(const CalibrationWork& work, session::MoleculeList list,
                             session::EncodingSession& session, pipeline::FailureLog& failed) {
  const DomainRequest& request = work.request;
  const std::string& path = calibration_file(request);
  const bool reports = path != request.training;
  std::vector<Hash128> drawn;
  pipeline::EncodeOutcome outcome = session.encode(
      session::standardized_source(
          session::recording_keys(session::molecules_of(path, request.training_smiles_column), drawn),
          session::standardize_before_encoding(work.saved.standardize, request.features), work.threads),
      std::move(list));
  std::unordered_set<std::size_t> refused;
  outcome.failed.for_each([&](FailedMolecule&& molecule) {
    refused.insert(molecule.row);
    molecule.file = path;
    if (reports) {
      failed.append(molecule);
    }
    return true;
  });
  io::MoleculeReaderOptions options;
  options.smiles_column = request.training_smiles_column;
  const auto reader = io::open_molecules(path, options);
  const std::size_t width = session.encoder().width();
  ReadMolecules read;
  read.molecules.width = width;
  std::set<std::tuple<std::string, double, double>> seen;
  std::vector<ReadRow> rows;
  const auto take_rows = [&] {
    parallel_for(rows.size(), work.threads, [&](std::size_t i) {
      try {
        rows[i].description = chem::describe(rows[i].record, work.saved.standardize);
      } catch (const chem::InvalidMolecule& problem) {
        rows[i].unreadable = problem.what();
      }
    });
    std::vector<Hash128> keys;
    std::vector<const ReadRow*> kept;
    for (const ReadRow& row : rows) {
      if (!row.description) {
        if (reports) {
          failed.append({row.record.row, row.record.line, path, row.record.text, row.unreadable});
        }
      } else if (seen.insert({row.description->canonical_smiles, row.measured.measured,
                              row.measured.predicted.value})
                     .second) {
        keys.push_back(outcome.keys[row.record.row]);
        kept.push_back(&row);
      }
    }
    const ops::Floats features = keys.empty() ? ops::Floats() : session.features(keys);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto own = features.numbers().subspan(i * width, width);
      read.molecules.features.insert(read.molecules.features.end(), own.begin(), own.end());
      read.molecules.environments.append(kept[i]->description->environments);
      read.molecules.properties.push_back(domain::properties_of(*kept[i]->description));
      read.smiles.push_back(kept[i]->description->canonical_smiles);
      read.scaffolds.push_back(kept[i]->description->scaffold);
      read.rows.push_back(kept[i]->measured);
      read.lines.push_back(kept[i]->record.line);
    }
    rows.clear();
  };
  std::size_t next = 0;
  session::SameRecords same(path, drawn);
  while (auto row = reader->next()) {
    same.require_next(row->record);
    if (next < work.rows.size() && work.rows[next].row == row->record.row) {
      const MeasuredRow& measured = work.rows[next++];
      if (!refused.contains(row->record.row)) {
        rows.push_back({std::move(row->record), measured, std::nullopt, ""});
      }
    }
    if (rows.size() == kTrainingRowsAtOnce) {
      take_rows();
    }
  }
  same.require_end();
  take_rows();
  return read;
}

[[noreturn]] void refuse_in_sample(const CalibrationWork& work, std::size_t molecules,
                                   const std::string& observation) {
  throw InputError(
      fmt::format("{}: in-sample predictions: {} of the {} are training molecules, and {}. Intervals would "
                  "be too narrow. "
                  "Give predictions from cross-validation over scaffolds, or molecules that the model did "
                  "not see. If the "
                  "predictions are out-of-fold, add --out-of-fold",
                  calibration_file(work.request), molecules == 1 ? "1" : std::to_string(molecules),
                  "calibration molecules", observation));
}

void require_out_of_fold(const CalibrationWork& work, const ReadMolecules& read,
                         const std::vector<domain::CalibrationMolecule>& molecules) {
  if (work.request.out_of_fold) {
    return;
  }
  bool are_classes = true;
  std::vector<double> inner, outer;
  for (const auto& own : molecules) {
    are_classes = are_classes && (own.measured == 0 || own.measured == 1);
    (own.in_training ? inner : outer).push_back(std::abs(own.measured - own.predicted.value));
  }
  if (domain::are_much_smaller(inner, outer)) {
    refuse_in_sample(work, inner.size(),
                     "their errors are much smaller than the errors of the other molecules");
  }
  domain::EnvironmentLists environments;
  std::vector<double> measured, predicted;
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (molecules[i].in_training && seen.insert(molecules[i].smiles).second) {
      environments.append(read.molecules.environments.of(i));
      measured.push_back(molecules[i].measured);
      predicted.push_back(molecules[i].predicted.value);
    }
  }
  const domain::MissComparison found =
      domain::compare_with_neighbours(environments, measured, predicted, are_classes);
  if (found.are_in_sample) {
    refuse_in_sample(
        work, inner.size(),
        are_classes
            ? fmt::format(
                  "the model predicts {:.1f} % of their classes wrongly, their nearest neighbours {:.1f} %",
                  100 * found.own, 100 * found.nearest)
            : fmt::format(
                  "their median error is {:.3g}, but {:.3g} for a prediction by their nearest neighbours",
                  found.own, found.nearest));
  }
}

/// Removes the molecules that the model of the request has seen. Their errors are too small for intervals.
void leave_out_training(const CalibrationWork& work, std::vector<domain::CalibrationMolecule>& molecules) {
  const std::string& file = calibration_file(work.request);
  const std::size_t left_out = std::erase_if(
      molecules, [](const domain::CalibrationMolecule& molecule) { return molecule.in_training; });
  if (left_out > 0 && molecules.empty()) {
    throw InputError(fmt::format(
        "{}: all {} are training molecules, which the model has seen. Give molecules that the model "
        "has not seen",
        file, counted(left_out, "calibration molecule")));
  }
  if (left_out > 0) {
    log_warning("{}: {} left out of the calibration, because the model has seen {}", file,
                left_out == 1 ? "1 training molecule is" : fmt::format("{} training molecules are", left_out),
                left_out == 1 ? "it" : "them");
  }
}

/// Predictions of Molgauge's own model. Empty for the learned features of a chemprop model, because a model
/// on these features is not independent of the chemprop model.
domain::SimplePredictions simple_predictions(const CalibrationWork& work, const ReadMolecules& read) {
  if (work.saved.source.models != nullptr) {
    return {};
  }
  std::vector<double> measured;
  for (const MeasuredRow& row : read.rows) {
    measured.push_back(row.measured);
  }
  const bool are_classes =
      std::all_of(measured.begin(), measured.end(), [](double value) { return value == 0 || value == 1; });
  return domain::predict_simply({.training = work.saved.domain->training(),
                                 .training_scaffolds = work.saved.notes.scaffolds,
                                 .training_values = work.saved.values,
                                 .calibration = read.molecules,
                                 .smiles = read.smiles,
                                 .scaffolds = read.scaffolds,
                                 .measured = measured,
                                 .are_classes = are_classes,
                                 .threads = work.threads});
}

}  // namespace

std::shared_ptr<const domain::PredictionCalibration> calibrate_predictions(const CalibrationWork& work,
                                                                           session::MoleculeList molecules,
                                                                           session::EncodingSession& session,
                                                                           memory::PhaseRecorder& phases,
                                                                           pipeline::FailureLog& failed) {
  const ReadMolecules read = read_molecules(work, std::move(molecules), session, failed);
  const memory::Phase phase = phases.begin("calibrating predictions");
  const auto placed = domain::place_calibration(work.saved, read.molecules, read.smiles, read.scaffolds,
                                                work.levels, work.threads);
  std::vector<domain::CalibrationMolecule> calibration;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    calibration.push_back({.smiles = read.smiles[i],
                           .scaffold = read.scaffolds[i],
                           .in_training = placed[i].in_training,
                           .measured = read.rows[i].measured,
                           .predicted = read.rows[i].predicted,
                           .place = placed[i].place,
                           .line = read.lines[i]});
  }
  if (work.saved.source.models != nullptr) {
    leave_out_training(work, calibration);
  } else {
    require_out_of_fold(work, read, calibration);
  }
  const domain::SimplePredictions simple = simple_predictions(work, read);
  for (std::size_t i = 0; i < simple.of_calibration.size(); ++i) {
    calibration[i].simple_prediction = simple.of_calibration[i];
  }
  const DomainRequest& request = work.request;
  auto calibrated = std::make_shared<const domain::PredictionCalibration>(
      std::move(calibration), domain::PredictionCalibration::Settings{
                                  .coverage = request.coverage.value_or(0.9),
                                  .method = request.interval_method.value_or(IntervalMethod::automatic),
                                  .columns = prediction_columns(request, nullptr),
                                  .file = calibration_file(request),
                                  .simple_model = simple.model});
  if (request.candidates.empty()) {  // otherwise, the summary for the terminal contains the warnings
    for (const domain::ModelWarning& warning : calibrated->report().check.warnings) {
      log_warning("{}", warning.text);
    }
  }
  return calibrated;
}

std::shared_ptr<const domain::PredictionCalibration> with_options(
    std::shared_ptr<const domain::PredictionCalibration> stored, const DomainRequest& request) {
  if (!request.coverage && !request.interval_method) {
    return stored;
  }
  domain::PredictionCalibration::Settings settings = stored->settings();
  settings.coverage = request.coverage.value_or(settings.coverage);
  settings.method = request.interval_method.value_or(settings.method);
  return std::make_shared<const domain::PredictionCalibration>(stored->molecules(), std::move(settings));
}

}  // namespace molgauge::verbs
