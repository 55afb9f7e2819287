// `molgauge pocket ligands`.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "base/io/tables/csv_reader.h"
#include "base/io/tensors/keyed_rows.h"
#include "base/io/tensors/npz.h"
#include "base/options/report_fields.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/encoding/session/encoder_cache.h"
#include "molecules/verbs/verbs.h"
#include "pockets/preparation/hariboss_table.h"

namespace molgauge::verbs {
namespace {

constexpr std::size_t kMaxReported = 1000;

struct Compound {
  std::string code, smiles;
  std::size_t line = 0;
};

std::size_t column_of(const std::vector<std::string>& header, const std::string& name,
                      const std::string& option, const std::string& file) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) {
    throw InputError(fmt::format("{}:1: no column '{}'. The columns are: {}. Correct {}{}", file, name,
                                 fmt::join(header, ", "), option, did_you_mean(name, header)));
  }
  return static_cast<std::size_t>(found - header.begin());
}

/// Reads the compounds. For each code, uses the first row that has a molecule.
std::vector<Compound> read_compounds(const PocketLigandsRequest& request) {
  io::CsvReader csv(request.compounds, request.compounds.find(".tsv") != std::string::npos ? '\t' : ',');
  const auto header = csv.next();
  if (!header) {
    throw InputError(request.compounds + ": is empty. It must be a table of ligands");
  }
  const std::size_t id = column_of(header->fields, request.id_column, "--id-column", request.compounds),
                    smiles = column_of(header->fields, request.smiles_column, "--smiles-column",
                                       request.compounds);
  std::vector<Compound> compounds;
  std::set<std::string> seen;
  while (const auto row = csv.next()) {
    if (row->fields.size() <= std::max(id, smiles)) {
      csv.lines().fail(row->line, "the row has too few fields");
    }
    const std::string& code = row->fields[id];
    if (code.empty() || code.find('/') != std::string::npos) {
      csv.lines().fail(row->line, fmt::format("'{}' is not a ligand code", code));
    }
    if (seen.insert(code).second) {
      compounds.push_back({code, row->fields[smiles], row->line});
    }
  }
  if (compounds.empty()) {
    throw InputError(request.compounds + ": has no rows");
  }
  return compounds;
}

/// Returns the rows of all compounds. A failed compound is reported, and its row is filled with NaN. Sets the
/// width, which depends on the installed weights.
std::vector<float> encode_all(const PocketLigandsRequest& request, const std::vector<Compound>& compounds,
                              PocketLigandsReport& report) {
  std::vector<std::string> smiles;
  smiles.reserve(compounds.size());
  for (const Compound& compound : compounds) {
    smiles.push_back(compound.smiles);
  }
  EncodeRequest encoding;
  encoding.encoder = request.encoder;
  encoding.store = request.store;
  encoding.weights = request.weights;
  encoding.placement = request.placement;
  encoding.compute = request.compute;
  session::EncoderCache kept;
  std::vector<float> rows;
  const auto room = [&](std::size_t width) {
    report.width = width;
    rows.resize(compounds.size() * width);
    return std::span(rows);
  };
  EncodeReport encoded = encode(encoding, smiles, room, kept);
  for (FailedMolecule& failed : encoded.failed) {
    failed.file = request.compounds;
    failed.line = compounds[failed.row].line;
  }
  report.failed = std::move(encoded.failed);
  report.failed_records = encoded.failed_records;
  report.phases = {encoded.phase};
  return rows;
}

/// Returns a map from each output key to the code of its ligand.
std::map<std::string, std::string> keys_of(const PocketLigandsRequest& request,
                                           const std::vector<Compound>& compounds) {
  std::map<std::string, std::string> keys;
  if (request.hariboss_csv.empty()) {
    for (const Compound& compound : compounds) {
      keys.emplace(compound.code, compound.code);
    }
    return keys;
  }
  for (const pocket::ComplexRow& complex : pocket::read_hariboss_table(request.hariboss_csv, std::nullopt)) {
    if (complex.problem.empty()) {
      keys.emplace(complex.pdb + "_" + complex.ligand, complex.ligand);
    }
  }
  return keys;
}

io::KeyedRows gather(const std::map<std::string, std::string>& keys, const std::vector<Compound>& compounds,
                     const std::vector<float>& rows, std::size_t width, PocketLigandsReport& report) {
  std::map<std::string, const float*> by_code;
  for (std::size_t i = 0; i < compounds.size(); ++i) {
    const float* const row = rows.data() + i * width;
    if (!std::isnan(row[0])) {
      by_code.emplace(compounds[i].code, row);
    }
  }
  io::KeyedRows gathered;
  gathered.width = static_cast<std::int64_t>(width);
  for (const auto& [key, code] : keys) {
    const auto row = by_code.find(code);
    if (row == by_code.end()) {
      ++report.missing_complexes;
      if (report.missing.size() < kMaxReported) {
        report.missing.push_back(key);
      }
      continue;
    }
    gathered.keys.push_back(key);
    gathered.numbers.insert(gathered.numbers.end(), row->second, row->second + width);
  }
  return gathered;
}

/// Normalises the rows in place. The standard deviations are for the population (divisor n). A deviation
/// below 1e-8 is replaced by 1.
void normalize(io::KeyedRows& rows, const std::filesystem::path& parameters) {
  const auto width = static_cast<std::size_t>(rows.width), count = rows.keys.size();
  std::vector<float> means(width), deviations(width);
  for (std::size_t column = 0; column < width; ++column) {
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < count; ++row) {
      sum += rows.numbers[row * width + column];
    }
    const double mean = sum / static_cast<double>(count);
    for (std::size_t row = 0; row < count; ++row) {
      const double difference = rows.numbers[row * width + column] - mean;
      squares += difference * difference;
    }
    const double found = std::sqrt(squares / static_cast<double>(count)),
                 deviation = found < 1e-8 ? 1 : found;
    for (std::size_t row = 0; row < count; ++row) {
      float& number = rows.numbers[row * width + column];
      number = static_cast<float>((number - mean) / deviation);
    }
    means[column] = static_cast<float>(mean);
    deviations[column] = static_cast<float>(deviation);
  }
  io::write_npz(parameters, {{"mean", means}, {"std", deviations}});
}

PocketLigandsReport make_ligands(const PocketLigandsRequest& request) {
  io::require_keyed_rows_name(request.out);
  const std::vector<Compound> compounds = read_compounds(request);
  const std::map<std::string, std::string> keys = keys_of(request, compounds);
  PocketLigandsReport report;
  report.compounds = compounds.size();
  const std::vector<float> encoded = encode_all(request, compounds, report);
  const std::size_t width = report.width;
  io::KeyedRows rows = gather(keys, compounds, encoded, width, report);
  if (rows.keys.empty()) {
    throw InputError(request.compounds + ": no ligand could be encoded" +
                     (report.failed.empty()
                          ? ""
                          : ". The first, in line " + std::to_string(report.failed[0].line) + ": " +
                                report.failed[0].reason));
  }
  if (request.normalize) {
    normalize(rows, std::filesystem::path(request.out).parent_path() / "ligand_embedding_norm_params.npz");
  }
  io::write_keyed_rows(request.out, rows);
  report.keys = rows.keys.size();
  return report;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(PocketLigandsReport, compounds, keys, width, failed_records, failed, missing,
                       missing_complexes, phases)

template <>
verbs::Verb verbs::verb<PocketLigandsRequest>() {
  return budget_row<PocketLigandsRequest>("pocket_ligands", make_ligands);
}

}  // namespace molgauge
