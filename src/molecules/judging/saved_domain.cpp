#include "molecules/judging/saved_domain.h"

#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/regular_file.h"
#include "base/core/files/replaced_folder.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/json/sealed_json.h"
#include "base/core/session/log.h"
#include "base/io/tensors/safetensors.h"
#include "base/options/own_folder.h"
#include "molecules/chem/perception.h"
#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/judging/predictions/calibration_file.h"
#include "molecules/judging/saved/domain_tensors.h"
#include "molecules/judging/saved/encoder_copies.h"
#include "molecules/judging/saved/label_json.h"
#include "molecules/judging/saved/molecule_table.h"
#include "molecules/judging/saved/ranges.h"
#include "molecules/judging/saved/saved_files.h"
#include "molecules/store/weights/sha256.h"

namespace molgauge::domain {
namespace {

using nlohmann::json;

constexpr int kFormat = 3;

/// Calls `read`, and adds the name of the file and the remedy to its InputError.
template <typename Read>
auto naming(const std::filesystem::path& file, const Read& read) try {
  return read();
} catch (const InputError& problem) {
  throw InputError(fmt::format("{}: {}. {}", file.string(), problem.what(), kSavedDomainRemedy));
}

json range_json(const Range& range) { return {range.low, range.high}; }
/// `name`: a key of the manifest.
Range range_from(const json& manifest, const char* name) {
  const json& fields = manifest.at(name);
  const auto number = [&](std::size_t place) {
    return in_range(checked<double>(fields.at(place)), -kLargestFeature, kLargestFeature, name);
  };
  const Range range{number(0), number(1)};
  in_range(range.low, -kLargestFeature, range.high, name);
  return range;
}

std::size_t count_from(const json& manifest, const char* name) {
  return in_range(checked<std::size_t>(manifest.at(name)), 0, kLargestCount, name);
}

json predictions_json(const PredictionCalibration& calibration) {
  const PredictionCalibration::Settings& settings = calibration.settings();
  return {{"coverage", settings.coverage},
          {"method", to_string(settings.method)},
          {"file", settings.file},
          {"simple_model", settings.simple_model},
          {"measured_column", settings.columns.measured},
          {"prediction_column", settings.columns.prediction},
          {"uncertainty_column", settings.columns.uncertainty},
          {"lower_column", settings.columns.lower},
          {"upper_column", settings.columns.upper}};
}

PredictionCalibration::Settings prediction_settings_from(const json& fields) {
  const auto text = [&](const char* key) { return checked<std::string>(fields.at(key)); };
  // The ranges of --coverage.
  return {.coverage = in_range(checked<double>(fields.at("coverage")), 0.5, 0.999, "coverage"),
          .method = checked<IntervalMethod>(fields.at("method")),
          .columns = {text("measured_column"), text("prediction_column"), text("uncertainty_column"),
                      text("lower_column"), text("upper_column")},
          .file = text("file"),
          .simple_model = text("simple_model")};
}

json manifest_of(const SavedDomain& saved, const std::filesystem::path& folder) {
  const KnownParts& known = saved.notes.known;
  json manifest = {{"format", kFormat},
                   {"encoder", saved.source.encoder},
                   {"features", saved.source.features},
                   {"encoder_identity", saved.source.identity},
                   {"method", to_string(saved.settings.method)},
                   {"level", saved.settings.level},
                   {"bandwidth", saved.domain->reference().scales().bandwidth},
                   {"calibration_scaffolds", saved.domain->calibration().scaffolds},
                   {"largest_calibration_scaffold", saved.domain->calibration().largest_scaffold},
                   {"training_file", saved.training_file},
                   {"training_sha256", saved.training_sha256},
                   {"standardize", to_string(saved.standardize.mode)},
                   {"keep_isotopes", saved.standardize.keeps_isotopes},
                   {"training_duplicates", saved.duplicates},
                   {"training_redrawn", saved.merged.redrawn},
                   {"labels", label_notes_json(saved.labels)},
                   {"training_failed", saved.failed},
                   {"elements", known.elements},
                   {"rings", known.rings},
                   {"heavy_atoms", range_json(known.heavy_atoms)},
                   {"log_p", range_json(known.log_p)},
                   {"charge", range_json(known.charge)},
                   {"label_curve", curve_json(saved.curve, saved.value_name)},
                   {"sha256",
                    {{kTensors, store::sha256_of_file(folder / kTensors)},
                     {kMolecules, store::sha256_of_file(folder / kMolecules)}}}};
  if (const auto fallback = saved.source.placement.conformer_fallback;
      fallback != ConformerFallback::by_default) {
    manifest["conformer_fallback"] = to_string(fallback);
  }
  if (const auto engine = saved.source.placement.conformer_engine; engine != ConformerEngine::by_default) {
    manifest["conformer_engine"] = to_string(engine);
  }
  if (const auto& most = saved.source.placement.max_atoms) {
    manifest["max_atoms"] = *most;
  }
  if (saved.source.models != nullptr) {
    manifest["predicts_drawing"] = saved.predicts_drawing;
  }
  if (!saved.values.empty()) {
    manifest["value_column"] = saved.value_name;
  }
  if (saved.predictions != nullptr) {
    manifest["predictions"] = predictions_json(*saved.predictions);
    manifest["sha256"][kPredictions] = store::sha256_of_file(folder / kPredictions);
  }
  for (const std::string& name : encoder_files(saved.source)) {
    manifest["sha256"][name] = store::sha256_of_file(folder / name);
  }
  return manifest;
}

/// Throws InputError if the manifest has another format or has been changed.
void require_manifest(const json& manifest, const std::filesystem::path& file) {
  const int format = checked<int>(manifest.at("format"));
  if (format != kFormat) {
    throw InputError(fmt::format("{}: its format is {}, but this version reads the format {}. {}",
                                 file.string(), format, kFormat, kSavedDomainRemedy));
  }
  try {
    check_seal(manifest);
  } catch (const InputError& damage) {
    throw InputError(fmt::format("{}: {}. {}", file.string(), damage.what(), kSavedDomainRemedy));
  }
}

/// Reads the source of the features. Checks the copies of the models in the folder.
FeatureSource source_from(const json& manifest, const std::filesystem::path& folder) {
  FeatureSource source = {checked<std::string>(manifest.at("encoder")),
                          checked<std::string>(manifest.at("features")),
                          checked<std::string>(manifest.at("encoder_identity"))};
  if (manifest.contains("conformer_fallback")) {
    source.placement.conformer_fallback = checked<ConformerFallback>(manifest.at("conformer_fallback"));
  }
  if (manifest.contains("conformer_engine")) {
    source.placement.conformer_engine = checked<ConformerEngine>(manifest.at("conformer_engine"));
  }
  if (manifest.contains("max_atoms")) {
    source.placement.max_atoms = naming(folder / kManifest, [&] {
      return in_range(checked<std::size_t>(manifest.at("max_atoms")), 1, chem::kMaxAtoms, "max_atoms");
    });
  }
  if (manifest.at("sha256").contains(kTuned)) {
    require_regular_file(folder / kTuned);
    require_sha256(folder / kTuned, manifest);
    source.tuned = folder / kTuned;
  }
  if (source.encoder == encoders::chemprop::kName) {
    source.models = read_models(folder, manifest);
    source.tuned = folder;
  }
  return source;
}

void read_manifest(const json& manifest, SavedDomain& saved) {
  saved.settings.method = checked<DomainMethod>(manifest.at("method"));
  constexpr double kSmallestLevel = 1e-300;  // --level is in (0, 0.5]
  saved.settings.level = in_range(checked<double>(manifest.at("level")), kSmallestLevel, 0.5, "level");
  saved.training_file = checked<std::string>(manifest.at("training_file"));
  saved.training_sha256 = checked<std::string>(manifest.at("training_sha256"));
  saved.standardize = {checked<Standardize>(manifest.at("standardize")),
                       checked<bool>(manifest.at("keep_isotopes"))};
  saved.merged.redrawn = count_from(manifest, "training_redrawn");
  saved.labels = label_notes_from(manifest.at("labels"));
  if (manifest.contains("predicts_drawing")) {
    saved.predicts_drawing = checked<bool>(manifest.at("predicts_drawing"));
  }
  saved.duplicates = count_from(manifest, "training_duplicates");
  saved.failed = count_from(manifest, "training_failed");
  KnownParts& known = saved.notes.known;
  for (const json& element : manifest.at("elements")) {
    known.elements.insert(in_range(checked<std::uint8_t>(element), 0, 118, "an atomic number"));
  }
  known.rings = checked<std::set<std::string>>(manifest.at("rings"));
  known.heavy_atoms = range_from(manifest, "heavy_atoms");
  known.log_p = range_from(manifest, "log_p");
  known.charge = range_from(manifest, "charge");
  if (!manifest.at("label_curve").is_null()) {
    saved.curve = curve_from(manifest.at("label_curve"));
    saved.value_name = checked<std::string>(manifest.at("label_curve").at("column"));
  }
  if (manifest.contains("value_column")) {
    saved.value_name = checked<std::string>(manifest.at("value_column"));
  }
}

void read_tensors(const json& manifest, const std::filesystem::path& path, SavedDomain& saved) {
  const io::TensorMap tensors = io::read_safetensors(path).tensors;
  DomainTensors read = domain_tensors_from(tensors);
  if (saved.notes.names.size() != read.training.size()) {
    throw InputError("the number of molecules is not the same in all tensors and in " +
                     std::string(kMolecules));
  }
  const auto left_out = static_cast<double>(read.calibration.scaffold.size());
  read.calibration.scaffolds = in_range(checked<std::size_t>(manifest.at("calibration_scaffolds")), 0,
                                        left_out, "calibration_scaffolds");
  read.calibration.largest_scaffold =
      in_range(checked<std::size_t>(manifest.at("largest_calibration_scaffold")), 0, left_out,
               "largest_calibration_scaffold");
  Reference::Scales& scales = read.scales;
  scales.bandwidth = checked<double>(manifest.at("bandwidth"));
  if (saved.settings.method == DomainMethod::combined &&
      (scales.nearest.scores().empty() || scales.rarity.scores().empty() ||
       scales.coverage.scores().empty() || scales.mahalanobis.scores().empty() ||
       scales.density.scores().empty())) {
    throw InputError("the scales of the method combined are missing");
  }
  in_range(scales.bandwidth, 0, kLargestFeature, "bandwidth");
  const bool has_density =
      saved.settings.method == DomainMethod::density || saved.settings.method == DomainMethod::combined;
  if (has_density && !(scales.bandwidth > 0 && std::isfinite(scales.bandwidth))) {
    throw InputError("the bandwidth of the density is missing");
  }
  saved.values = std::move(read.values);
  saved.notes.known.molecules = read.training.size();
  saved.notes.known.add_environments(read.training.environments);
  saved.domain = std::make_shared<const CalibratedDomain>(std::move(read.training), std::move(scales),
                                                          std::move(read.calibration), saved.settings);
  saved.opinion = opinion_from(tensors, training_of_opinion(saved));
}

/// Writes all files of a domain into an empty folder.
void write_domain(const SavedDomain& saved, const std::filesystem::path& folder) {
  write_molecules(saved.notes, folder / kMolecules);
  io::TensorMap tensors = tensors_of(*saved.domain, saved.values);
  if (saved.opinion != nullptr) {
    add_opinion(*saved.opinion, tensors);
  }
  io::write_safetensors(folder / kTensors, tensors);
  if (saved.predictions != nullptr) {
    write_calibration(saved.predictions->molecules(), folder / kPredictions);
  }
  keep_encoder(saved.source, folder);
  replace_file(folder / kManifest, json_text(sealed(manifest_of(saved, folder))));
}

}  // namespace

SecondOpinion::Training training_of_opinion(const SavedDomain& saved) {
  return {saved.domain->training(), saved.notes.canonical_smiles, saved.notes.scaffolds, saved.values,
          /*uses_features=*/saved.source.models == nullptr};
}

bool is_saved_domain(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kManifest);
}

void save_domain(const SavedDomain& saved, const std::filesystem::path& folder) {
  replace_folder(folder, {.write = [&](const std::filesystem::path& empty) { write_domain(saved, empty); },
                          .is_own = options::is_file_of_saved_domain,
                          .last = kManifest});
}

FeatureSource load_feature_source(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kManifest;
  try {
    const json manifest = parse_json(read_file(file));
    require_manifest(manifest, file);
    return source_from(manifest, folder);
  } catch (const json::exception& problem) {
    throw InputError(fmt::format("{}: {}. {}", file.string(), json_problem(problem), kSavedDomainRemedy));
  }
}

SavedDomain load_domain(const std::filesystem::path& folder, std::size_t threads) {
  const std::filesystem::path file = folder / kManifest;
  for (const char* const name : {kMolecules, kTensors, kTuned}) {
    require_regular_file(folder / name);
  }
  SavedDomain saved;
  saved.settings.threads = threads;
  try {
    const json manifest = parse_json(read_file(file));
    require_manifest(manifest, file);
    require_sha256(folder / kMolecules, manifest);
    require_sha256(folder / kTensors, manifest);
    saved.notes = read_molecules(folder / kMolecules);
    naming(file, [&] { read_manifest(manifest, saved); });  // adds the known parts to the notes
    saved.source = source_from(manifest, folder);
    if (manifest.contains("predictions")) {
      require_sha256(folder / kPredictions, manifest);
      saved.predictions = std::make_shared<const PredictionCalibration>(
          read_calibration(folder / kPredictions),
          naming(file, [&] { return prediction_settings_from(manifest.at("predictions")); }));
    }
    naming(folder / kTensors, [&] { read_tensors(manifest, folder / kTensors, saved); });
  } catch (const json::exception& problem) {
    throw InputError(fmt::format("{}: {}. {}", file.string(), json_problem(problem), kSavedDomainRemedy));
  }
  return saved;
}

}  // namespace molgauge::domain
