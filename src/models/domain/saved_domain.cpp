#include "models/domain/saved_domain.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/checked_json.h"
#include "core/error.h"
#include "core/folder_lock.h"
#include "core/json_reader.h"
#include "core/json_text.h"
#include "core/log.h"
#include "core/regular_file.h"
#include "core/sealed_json.h"
#include "data/io/tables/csv_reader.h"
#include "data/io/tables/csv_writer.h"
#include "data/io/tensors/safetensors.h"
#include "data/store/weights/sha256.h"
#include "models/domain/predictions/calibration_file.h"
#include "models/encoders/chemprop/ensemble.h"

namespace headroom::domain {
namespace {

using nlohmann::json;

constexpr const char *kManifest = "domain-manifest.json", *kTensors = "domain.safetensors",
                     *kMolecules = "molecules.csv", *kTuned = "tuned_encoder.safetensors",
                     *kPredictions = "predictions.csv";
/// Copies of the models of chemprop: model_0000.pt and so on.
constexpr std::string_view kModel = "model_";
/// In format 1, `level` is a false discovery rate. In format 2, it is a p-value, and the manifest has a
/// checksum.
constexpr int kFormat = 2, kOldestFormat = 1, kFirstSealed = 2;
constexpr const char *kRegression = "regression", *kClassification = "classification";
constexpr const char* kSavedDomainRemedy =
    "Make the folder again with headroom domain TRAIN CANDIDATES --save";

/// The files of the encoder that are copied into a saved folder.
std::vector<std::filesystem::path> files_of(const FeatureSource& source) {
  if (source.tuned.empty()) {
    return {};
  }
  return source.encoder == encoders::chemprop::kName ? encoders::chemprop::checkpoint_files(source.tuned)
                                                     : std::vector<std::filesystem::path>{source.tuned};
}

/// The names of the copies, in the order of files_of().
std::vector<std::string> encoder_files(const FeatureSource& source) {
  std::vector<std::string> names(files_of(source).size(), kTuned);
  for (std::size_t i = 0; source.encoder == encoders::chemprop::kName && i < names.size(); ++i) {
    names[i] = fmt::format("{}{:04}.pt", kModel, i);
  }
  return names;
}

/// Returns the files of the encoder that an earlier call copied into the folder.
std::vector<std::filesystem::path> old_encoder_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == kTuned || name.starts_with(kModel)) {
      files.push_back(entry.path());
    }
  }
  return files;
}

template <typename Number>
io::TensorData tensor_of(io::DataType type, std::vector<std::int64_t> shape,
                         std::span<const Number> numbers) {
  io::TensorData tensor{type, std::move(shape), {}};
  tensor.bytes.resize(numbers.size_bytes());
  if (!numbers.empty()) {
    std::memcpy(tensor.bytes.data(), numbers.data(), numbers.size_bytes());
  }
  return tensor;
}

io::TensorData floats(std::span<const float> numbers) {
  return tensor_of(io::DataType::float32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

io::TensorMap tensors_of(const SavedDomain& saved) {
  const CalibratedDomain& domain = *saved.domain;
  const Molecules& training = domain.training();
  std::vector<std::int64_t> ends;
  std::vector<std::int32_t> environments;
  for (std::size_t i = 0; i < training.size(); ++i) {
    for (const Environment& environment : training.environments.of(i)) {
      environments.push_back(static_cast<std::int32_t>(environment.identifier));
      environments.push_back(static_cast<std::int32_t>(environment.count));
    }
    ends.push_back(static_cast<std::int64_t>(environments.size() / 2));
  }
  const std::vector<std::uint8_t> held_out(domain.held_out().begin(), domain.held_out().end());
  const auto count = static_cast<std::int64_t>(training.size());
  io::TensorMap tensors;
  tensors["features"] = io::TensorData::from_float32({count, static_cast<std::int64_t>(training.width)},
                                                     training.features.data());
  tensors["environments"] = tensor_of<std::int32_t>(
      io::DataType::int32, {static_cast<std::int64_t>(environments.size() / 2), 2}, environments);
  tensors["environment_ends"] = tensor_of<std::int64_t>(io::DataType::int64, {count}, ends);
  tensors["held_out"] = tensor_of<std::uint8_t>(io::DataType::uint8, {count}, held_out);
  tensors["calibration_random"] = floats(domain.calibration().random);
  tensors["calibration_scaffold"] = floats(domain.calibration().scaffold);
  const Reference::Scales& scales = domain.reference().scales();
  tensors["scale_knn"] = floats(scales.knn.scores());
  tensors["scale_rarity"] = floats(scales.rarity.scores());
  tensors["scale_coverage"] = floats(scales.coverage.scores());
  if (!saved.values.empty()) {
    tensors["values"] = tensor_of<double>(io::DataType::float64, {count}, saved.values);
  }
  return tensors;
}

json range_json(const Range& range) { return {range.low, range.high}; }
Range range_from(const json& fields) {
  return {checked<double>(fields.at(0)), checked<double>(fields.at(1))};
}

/// Converts a number to JSON. An unknown number becomes null.
json known(double number) { return std::isnan(number) ? json(nullptr) : json(number); }
double known_from(const json& field) {
  return field.is_null() ? LabelCurve::kUnknown : checked<double>(field);
}

/// Writes a bin. The first six numbers are in every domain, and the other numbers were added later.
json bin_json(const LabelCurve::Bin& bin) {
  return {bin.low,
          bin.high,
          bin.molecules,
          bin.error,
          known(bin.error_low),
          known(bin.error_high),
          bin.scaffolds,
          bin.positives,
          known(bin.auroc.value),
          known(bin.auroc.low),
          known(bin.auroc.high)};
}

LabelCurve::Bin bin_from(const json& fields) {
  LabelCurve::Bin bin{checked<double>(fields.at(0)),      checked<double>(fields.at(1)),
                      checked<std::size_t>(fields.at(2)), checked<double>(fields.at(3)),
                      known_from(fields.at(4)),           known_from(fields.at(5))};
  if (fields.size() > 6) {
    bin.scaffolds = checked<std::size_t>(fields.at(6));
    bin.positives = checked<std::size_t>(fields.at(7));
    bin.auroc = {known_from(fields.at(8)), known_from(fields.at(9)), known_from(fields.at(10))};
  }
  return bin;
}

json curve_json(const SavedDomain& saved) {
  const LabelCurve& curve = saved.curve;
  if (curve.empty()) {
    return nullptr;
  }
  json bins = json::array();
  for (const LabelCurve::Bin& bin : curve.bins) {
    bins.push_back(bin_json(bin));
  }
  json fields = {{"column", saved.value_name},
                 {"task", curve.is_classification() ? kClassification : kRegression},
                 {"molecules", curve.molecules},
                 {"scaffolds", curve.scaffolds},
                 {"error", curve.error},
                 {"error_low", known(curve.error_low)},
                 {"error_high", known(curve.error_high)},
                 {"inner_half", curve.inner_half},
                 {"outer_tenth", curve.outer_tenth},
                 {"constant_error", curve.constant_error},
                 {"bins", bins}};
  if (curve.is_classification()) {
    fields["classes"] = {curve.negative_value, curve.positive_value};
    fields["positives"] = curve.positives;
    fields["auroc"] = {known(curve.auroc.value), known(curve.auroc.low), known(curve.auroc.high)};
  }
  return fields;
}

/// Reads the fields that older versions did not write.
void read_later_fields(const json& fields, LabelCurve& curve) {
  if (!fields.contains("task")) {
    return;
  }
  const auto task = checked<std::string>(fields.at("task"));
  if (task != kRegression && task != kClassification) {
    throw InputError(fmt::format("the task of its label_curve is '{}'. This version reads {} and {}", task,
                                 kRegression, kClassification));
  }
  curve.scaffolds = checked<std::size_t>(fields.at("scaffolds"));
  curve.error_low = known_from(fields.at("error_low"));
  curve.error_high = known_from(fields.at("error_high"));
  if (task == kClassification) {
    curve.task = LabelCurve::Task::classification;
    curve.negative_value = checked<double>(fields.at("classes").at(0));
    curve.positive_value = checked<double>(fields.at("classes").at(1));
    curve.positives = checked<std::size_t>(fields.at("positives"));
    const json& auroc = fields.at("auroc");
    curve.auroc = {known_from(auroc.at(0)), known_from(auroc.at(1)), known_from(auroc.at(2))};
  }
}

LabelCurve curve_from(const json& fields) {
  LabelCurve curve;
  curve.molecules = checked<std::size_t>(fields.at("molecules"));
  curve.error = checked<double>(fields.at("error"));
  curve.inner_half = checked<double>(fields.at("inner_half"));
  curve.outer_tenth = checked<double>(fields.at("outer_tenth"));
  curve.constant_error = checked<double>(fields.at("constant_error"));
  for (const json& bin : fields.at("bins")) {
    curve.bins.push_back(bin_from(bin));
  }
  read_later_fields(fields, curve);
  return curve;
}

std::string hexadecimal(const Hash128& key) { return fmt::format("{:02x}", fmt::join(key, "")); }

/// Reverses hexadecimal(). Throws InputError if the text is not a result of hexadecimal().
Hash128 key_from(const std::string& text) {
  Hash128 key{};
  if (text.size() != 2 * key.size()) {
    throw InputError("a key has another length than 32 digits");
  }
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char* const digits = text.data() + 2 * i;
    const auto [end, problem] = std::from_chars(digits, digits + 2, key[i], 16);
    if (problem != std::errc() || end != digits + 2) {
      throw InputError(fmt::format("the key {} is not hexadecimal", text));
    }
  }
  return key;
}

void write_molecules(const TrainingNotes& notes, const std::filesystem::path& path) {
  std::vector<std::string> header = {"name", "smiles", "canonical_smiles", "scaffold"};
  if (!notes.keys.empty()) {
    header.insert(header.end(), {"drawn_key", "parent_key", "flat_key"});
  }
  io::CsvWriter file(path, header);
  for (std::size_t i = 0; i < notes.names.size(); ++i) {
    std::vector<std::string> row = {notes.names[i], notes.smiles[i], notes.canonical_smiles[i],
                                    notes.scaffolds[i]};
    if (!notes.keys.empty()) {
      const FormKeys& keys = notes.keys[i];
      row.insert(row.end(), {hexadecimal(keys.drawn), hexadecimal(keys.parent), hexadecimal(keys.flat)});
    }
    file.append(row);
  }
  file.finish();
}

json predictions_json(const PredictionCalibration& calibration) {
  const PredictionCalibration::Settings& settings = calibration.settings();
  return {{"coverage", settings.coverage},
          {"method", to_string(settings.method)},
          {"seed", settings.seed},
          {"file", settings.file},
          {"measured_column", settings.columns.measured},
          {"prediction_column", settings.columns.prediction},
          {"uncertainty_column", settings.columns.uncertainty},
          {"lower_column", settings.columns.lower},
          {"upper_column", settings.columns.upper}};
}

PredictionCalibration::Settings prediction_settings_from(const json& fields) {
  const auto text = [&](const char* key) { return checked<std::string>(fields.at(key)); };
  return {.coverage = checked<double>(fields.at("coverage")),
          .method = checked<IntervalMethod>(fields.at("method")),
          .seed = checked<std::uint64_t>(fields.at("seed")),
          .columns = {text("measured_column"), text("prediction_column"), text("uncertainty_column"),
                      text("lower_column"), text("upper_column")},
          .file = text("file")};
}

json manifest_of(const SavedDomain& saved, const std::filesystem::path& folder) {
  const KnownParts& known = saved.notes.known;
  json manifest = {{"format", kFormat},
                   {"encoder", saved.source.encoder},
                   {"features", saved.source.features},
                   {"encoder_identity", saved.source.identity},
                   {"method", to_string(saved.settings.method)},
                   {"level", saved.settings.level},
                   {"seed", saved.settings.seed},
                   {"bandwidth", saved.domain->reference().scales().bandwidth},
                   {"training_file", saved.training_file},
                   {"training_sha256", saved.training_sha256},
                   {"standardize", to_string(saved.standardize)},
                   {"training_duplicates", saved.duplicates},
                   {"training_redrawn", saved.merged.redrawn},
                   {"label_conflicts", saved.merged.conflicts},
                   {"label_median_range", saved.merged.median_range},
                   {"training_failed", saved.failed},
                   {"elements", known.elements},
                   {"rings", known.rings},
                   {"heavy_atoms", range_json(known.heavy_atoms)},
                   {"log_p", range_json(known.log_p)},
                   {"charge", range_json(known.charge)},
                   {"label_curve", curve_json(saved)},
                   {"sha256",
                    {{kTensors, store::sha256_of_file(folder / kTensors)},
                     {kMolecules, store::sha256_of_file(folder / kMolecules)}}}};
  if (const auto fallback = saved.source.placement.conformer_fallback;
      fallback != ConformerFallback::by_default) {
    manifest["conformer_fallback"] = to_string(fallback);
  }
  if (const auto& most = saved.source.placement.max_atoms) {
    manifest["max_atoms"] = *most;
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

/// Copies the fine-tuned layers or the models, so that the folder does not depend on the original files.
/// Throws InputError if a model has changed since it was read.
void keep_encoder(const FeatureSource& source, const std::filesystem::path& folder) {
  std::vector<std::string> contents;
  for (const std::filesystem::path& file : files_of(source)) {
    contents.push_back(read_file(file));
    if (source.models != nullptr && (contents.size() > source.models->sha256.size() ||
                                     store::sha256(std::as_bytes(std::span(contents.back()))) !=
                                         source.models->sha256[contents.size() - 1])) {
      throw InputError(file.string() + ": has changed since it was read. Run the command again");
    }
  }
  for (const std::filesystem::path& old : old_encoder_files(folder)) {
    std::filesystem::remove(old);
  }
  const std::vector<std::string> names = encoder_files(source);
  for (std::size_t i = 0; i < names.size(); ++i) {
    replace_file(folder / names[i], contents[i]);
  }
}

/// Throws InputError if the SHA-256 `found` of the file differs from the SHA-256 in the manifest.
void require_hash(const std::string& found, const std::filesystem::path& file, const json& manifest) {
  const auto wanted = checked<std::string>(manifest.at("sha256").at(file.filename().string()));
  if (found != wanted) {
    throw InputError(fmt::format("{}: is not the file that was saved (its SHA-256 differs). {}",
                                 file.string(), kSavedDomainRemedy));
  }
}

void require_sha256(const std::filesystem::path& file, const json& manifest) {
  require_hash(store::sha256_of_file(file), file, manifest);
}

/// Reads the models of chemprop. Throws InputError if one is missing or damaged, or if the folder has other
/// .pt files, which would be read as models.
std::shared_ptr<const encoders::chemprop::ModelSet> read_models(const std::filesystem::path& folder,
                                                                const json& manifest) {
  std::size_t models = 0;
  for (const auto& [name, hash] : manifest.at("sha256").items()) {
    if (name.starts_with(kModel)) {
      require_regular_file(folder / name);
      if (!std::filesystem::exists(folder / name)) {
        throw InputError(fmt::format("{}: is missing. {}", (folder / name).string(), kSavedDomainRemedy));
      }
      ++models;
    }
  }
  if (models == 0) {
    throw InputError(
        fmt::format("{}: names no model. {}", (folder / kManifest).string(), kSavedDomainRemedy));
  }
  std::vector<encoders::chemprop::CheckpointFile> files = encoders::chemprop::read_files(folder);
  for (encoders::chemprop::CheckpointFile& file : files) {
    if (!manifest.at("sha256").contains(file.path.filename().string())) {
      throw InputError(fmt::format("{}: is not a file of the saved domain. Move it to another folder",
                                   file.path.string()));
    }
    file.sha256 = store::sha256(file.bytes);
    require_hash(file.sha256, file.path, manifest);
  }
  return std::make_shared<const encoders::chemprop::ModelSet>(
      encoders::chemprop::parse_models(std::move(files), folder));
}

/// Throws InputError if the tensor is missing, or has another shape.
const io::TensorData& tensor(const io::TensorMap& tensors, const std::string& name, io::DataType type,
                             std::size_t dimensions) {
  const auto found = tensors.find(name);
  if (found == tensors.end() || found->second.type != type || found->second.shape.size() != dimensions) {
    throw InputError("the tensor " + name + " is missing, or of another type or shape");
  }
  return found->second;
}

template <typename Number>
std::vector<Number> numbers_of(const io::TensorData& tensor) {
  std::vector<Number> numbers(tensor.bytes.size() / sizeof(Number));
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), tensor.bytes.data(), numbers.size() * sizeof(Number));
  }
  return numbers;
}

std::vector<float> floats_of(const io::TensorMap& tensors, const std::string& name) {
  return numbers_of<float>(tensor(tensors, name, io::DataType::float32, 1));
}

Molecules molecules_from(const io::TensorMap& tensors) {
  const std::string name = "features";  // GCC 14 warns about a temporary text
  const io::TensorData& features = tensor(tensors, name, io::DataType::float32, 2);
  Molecules molecules;
  molecules.width = static_cast<std::size_t>(features.shape[1]);
  molecules.features = numbers_of<float>(features);
  const auto flat = numbers_of<std::int32_t>(tensor(tensors, "environments", io::DataType::int32, 2));
  const auto ends = numbers_of<std::int64_t>(tensor(tensors, "environment_ends", io::DataType::int64, 1));
  std::vector<Environment> own;
  std::size_t at = 0;
  for (const std::int64_t end : ends) {
    own.clear();
    if (end < static_cast<std::int64_t>(at) || 2 * static_cast<std::size_t>(end) > flat.size()) {
      throw InputError("the tensor environment_ends does not fit environments");
    }
    for (; at < static_cast<std::size_t>(end); ++at) {
      own.push_back({static_cast<std::uint32_t>(flat[2 * at]), static_cast<std::uint32_t>(flat[2 * at + 1])});
    }
    molecules.environments.append(std::span<const Environment>(own));
  }
  if (molecules.width == 0 || molecules.size() * molecules.width != molecules.features.size()) {
    throw InputError("the tensors features and environment_ends are of different lengths");
  }
  return molecules;
}

ScoreTail tail_of(const io::TensorMap& tensors, const std::string& name) {
  auto scores = floats_of(tensors, name);
  return scores.empty() ? ScoreTail() : ScoreTail(std::move(scores));
}

void read_notes(const std::filesystem::path& path, SavedDomain& saved) {
  io::CsvReader file(path.string(), ',');
  file.next();
  while (const auto row = file.next()) {
    if (row->fields.size() != 4 && row->fields.size() != 7) {
      throw InputError(fmt::format("{}:{}: four or seven fields are expected. {}", path.string(), row->line,
                                   kSavedDomainRemedy));
    }
    saved.notes.names.push_back(row->fields[0]);
    saved.notes.smiles.push_back(row->fields[1]);
    saved.notes.canonical_smiles.push_back(row->fields[2]);
    saved.notes.scaffolds.push_back(row->fields[3]);
    saved.notes.known.scaffolds.insert(row->fields[3]);
    if (row->fields.size() == 7) {
      saved.notes.keys.push_back(
          {key_from(row->fields[4]), key_from(row->fields[5]), key_from(row->fields[6])});
    }
  }
  if (!saved.notes.keys.empty() && saved.notes.keys.size() != saved.notes.names.size()) {
    throw InputError(
        fmt::format("{}: some rows have four fields, others seven. {}", path.string(), kSavedDomainRemedy));
  }
}

/// Throws InputError if the manifest is from a later version or has been changed.
void require_manifest(const json& manifest, const std::filesystem::path& file) {
  const int format = checked<int>(manifest.at("format"));
  if (format < kOldestFormat || format > kFormat) {
    throw InputError(fmt::format("{}: its format is {}, but this version reads the formats {} to {}. {}",
                                 file.string(), format, kOldestFormat, kFormat, kSavedDomainRemedy));
  }
  if (format < kFirstSealed) {
    log_warning(
        "{}: was written by a version without a checksum of this file, so Headroom cannot detect damage. {} "
        "to "
        "add the checksum",
        file.string(), kSavedDomainRemedy);
    return;
  }
  try {
    if (check_seal(manifest) == Seal::absent) {
      throw InputError("is damaged: its checksum is missing");
    }
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
  if (manifest.contains("max_atoms")) {
    source.placement.max_atoms = checked<std::size_t>(manifest.at("max_atoms"));
    if (source.placement.max_atoms == 0) {
      throw InputError("max_atoms is 0, but must be at least 1");
    }
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
  const int format = checked<int>(manifest.at("format"));
  saved.settings.method = checked<DomainMethod>(manifest.at("method"));
  saved.settings.level = format == 1 ? kDefaultOutsideLevel : checked<double>(manifest.at("level"));
  saved.settings.seed = checked<std::uint64_t>(manifest.at("seed"));
  saved.training_file = checked<std::string>(manifest.at("training_file"));
  saved.training_sha256 = checked<std::string>(manifest.at("training_sha256"));
  if (manifest.contains("standardize")) {
    const auto mode = checked<std::string>(manifest.at("standardize"));
    const auto known = from_word<Standardize>(mode);
    if (!known) {
      throw InputError(fmt::format("{}: this version does not know the standardisation {}. {}", kManifest,
                                   mode, kSavedDomainRemedy));
    }
    saved.standardize = *known;
    saved.merged.redrawn = checked<std::size_t>(manifest.at("training_redrawn"));
    saved.merged.conflicts = checked<std::size_t>(manifest.at("label_conflicts"));
    saved.merged.median_range = checked<double>(manifest.at("label_median_range"));
  }
  saved.duplicates = checked<std::size_t>(manifest.at("training_duplicates"));
  saved.failed = checked<std::size_t>(manifest.at("training_failed"));
  KnownParts& known = saved.notes.known;
  known.elements = checked<std::set<std::uint8_t>>(manifest.at("elements"));
  known.rings = checked<std::set<std::string>>(manifest.at("rings"));
  known.heavy_atoms = range_from(manifest.at("heavy_atoms"));
  known.log_p = range_from(manifest.at("log_p"));
  known.charge = range_from(manifest.at("charge"));
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
  Molecules molecules = molecules_from(tensors);
  const auto marks = numbers_of<std::uint8_t>(tensor(tensors, "held_out", io::DataType::uint8, 1));
  std::vector<bool> held_out(marks.begin(), marks.end());
  Calibration calibration{floats_of(tensors, "calibration_random"),
                          floats_of(tensors, "calibration_scaffold")};
  const auto held = static_cast<std::size_t>(std::count(held_out.begin(), held_out.end(), true));
  if (held_out.size() != molecules.size() || saved.notes.names.size() != molecules.size() ||
      calibration.random.size() != held || held == 0 || held + 2 > molecules.size()) {
    throw InputError("the number of molecules is not the same in all tensors and in " +
                     std::string(kMolecules));
  }
  // Removes the scaffold scores of earlier versions if they come from fewer scaffolds than
  // kMinHeldOutScaffolds.
  if (count_drawn_scaffolds(saved.notes.scaffolds, held, saved.settings.seed).scaffolds == 0) {
    calibration.scaffold.clear();
  }
  if (tensors.contains("values")) {
    saved.values = numbers_of<double>(tensor(tensors, "values", io::DataType::float64, 1));
    if (saved.values.size() != molecules.size()) {
      throw InputError("the tensor values has another number of molecules than features");
    }
  }
  Reference::Scales scales{tail_of(tensors, "scale_knn"), tail_of(tensors, "scale_rarity"),
                           tail_of(tensors, "scale_coverage"), checked<double>(manifest.at("bandwidth"))};
  if (saved.settings.method == DomainMethod::combined &&
      (scales.knn.scores().empty() || scales.rarity.scores().empty() || scales.coverage.scores().empty())) {
    throw InputError("the scales of the method combined are missing");
  }
  if (saved.settings.method == DomainMethod::density && !(scales.bandwidth > 0)) {
    throw InputError("the bandwidth of the method density is missing");
  }
  saved.notes.known.molecules = molecules.size();
  saved.notes.known.add_environments(molecules.environments);
  saved.domain = std::make_shared<const CalibratedDomain>(
      std::move(molecules), std::move(held_out), std::move(scales), std::move(calibration), saved.settings);
}

}  // namespace

bool is_saved_domain(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kManifest);
}

void save_domain(const SavedDomain& saved, const std::filesystem::path& folder) {
  make_folder(folder);
  // The lock marks the folder as created by Headroom. An interrupted call can therefore be repeated.
  const FolderLock lock(folder);
  std::error_code absent;
  std::filesystem::remove(folder / kManifest, absent);
  write_molecules(saved.notes, folder / kMolecules);
  io::write_safetensors(folder / kTensors, tensors_of(saved));
  if (saved.predictions != nullptr) {
    write_calibration(saved.predictions->molecules(), folder / kPredictions);
  } else {
    std::filesystem::remove(folder / kPredictions, absent);
  }
  keep_encoder(saved.source, folder);
  replace_file(folder / kManifest, json_text(sealed(manifest_of(saved, folder))));
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
    read_manifest(manifest, saved);
    require_sha256(folder / kMolecules, manifest);
    require_sha256(folder / kTensors, manifest);
    saved.source = source_from(manifest, folder);
    if (manifest.contains("predictions")) {
      require_sha256(folder / kPredictions, manifest);
      saved.predictions = std::make_shared<const PredictionCalibration>(
          read_calibration(folder / kPredictions), prediction_settings_from(manifest.at("predictions")));
    }
    read_notes(folder / kMolecules, saved);
    try {
      read_tensors(manifest, folder / kTensors, saved);
    } catch (const InputError& problem) {
      throw InputError(
          fmt::format("{}: {}. {}", (folder / kTensors).string(), problem.what(), kSavedDomainRemedy));
    }
  } catch (const json::exception& problem) {
    throw InputError(fmt::format("{}: {}. {}", file.string(), json_problem(problem), kSavedDomainRemedy));
  }
  return saved;
}

}  // namespace headroom::domain
