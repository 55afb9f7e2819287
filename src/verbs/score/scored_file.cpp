#include "verbs/score/scored_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/worker_group.h"
#include "data/io/molecules/molecule_reader.h"
#include "data/io/tables/csv_reader.h"
#include "verbs/domain/page_rows.h"
#include "verbs/score/score_page.h"

namespace headroom::session {
namespace {

/// The meaning of the file's columns.
struct Columns {
  std::vector<std::string> names;
  std::size_t smiles = 0, score = 0;
  std::optional<std::size_t> line, prediction, in_training, deviation, disagreement;
};

/// The last existing one of NAME, NAME_2, NAME_3, ...: `headroom score` puts it after the input's own.
std::optional<std::size_t> find_added(const std::vector<std::string>& names, const std::string& name) {
  std::optional<std::size_t> found;
  std::string wanted = name;
  for (std::size_t i = 2;; ++i) {
    const auto place = std::find(names.begin(), names.end(), wanted);
    if (place == names.end()) {
      return found;
    }
    found = static_cast<std::size_t>(place - names.begin());
    wanted = fmt::format("{}_{}", name, i);
  }
}

Columns columns_of(const ReportRequest& request, const KnownScores& known, std::vector<std::string> names) {
  Columns columns;
  const auto smiles = io::find_column(names, request.smiles_column);
  if (!smiles) {
    throw InputError(fmt::format("{}: has no column {}; name the one with the SMILES by --smiles-column",
                                 request.scores, request.smiles_column));
  }
  const auto score = find_added(names, known.score_name);
  if (!score) {
    throw InputError(
        fmt::format("{}: has no column {}, which 'headroom score {}' adds; name the run that the "
                    "molecules were scored with",
                    request.scores, known.score_name, request.folder));
  }
  columns.smiles = *smiles;
  columns.score = *score;
  columns.prediction = find_added(names, "ood_prediction");
  if (known.kind == RunKind::seeds) {
    columns.deviation = find_added(names, "energy_deviation");
    columns.disagreement = find_added(names, "disagreement");
  }
  if (known.kind == RunKind::saved_domain) {
    columns.in_training = find_added(names, "in_training");
  }
  if (*smiles == 1 && names.front() == "line") {
    columns.line = 0;
  }
  columns.names = std::move(names);
  return columns;
}

/// NaN for an empty cell. `meaning`: of the number, for the message.
template <typename Number>
Number number_from(const std::string& text, const char* meaning, const std::string& file, std::size_t line) {
  if (text.empty()) {
    return std::numeric_limits<Number>::quiet_NaN();
  }
  Number number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    throw InputError(fmt::format("{}:{}: '{}' is no {}; write the file anew with 'headroom score --out'",
                                 file, line, text, meaning));
  }
  return number;
}

/// The parts of the file that the page needs.
struct ScoredFile {
  std::vector<float> scores;
  std::vector<ScoredList::Text> texts;
};

ScoredFile read(const ReportRequest& request, const KnownScores& known, const OodVerdict& verdict) {
  io::CsvReader reader(request.scores, ',');
  auto header = reader.next();
  if (!header) {
    throw InputError(request.scores + ": is empty; write it with 'headroom score --out'");
  }
  const Columns columns = columns_of(request, known, std::move(header->fields));
  ScoredFile file;
  while (auto row = reader.next()) {
    std::vector<std::string>& fields = row->fields;
    if (fields.size() != columns.names.size()) {
      throw InputError(fmt::format("{}:{}: has {} fields, the header has {}", request.scores, row->line,
                                   fields.size(), columns.names.size()));
    }
    const auto number = [&](std::optional<std::size_t> column, const char* meaning) {
      return column ? number_from<double>(fields[*column], meaning, request.scores, row->line)
                    : ScoredMolecule::kNone;
    };
    auto score = number_from<float>(fields[columns.score], "score", request.scores, row->line);
    const bool in_training = columns.in_training && fields[*columns.in_training] == "yes";
    const bool is_outside = !in_training && static_cast<double>(score) > *verdict.threshold();
    if (columns.prediction && !std::isnan(score) && !fields[*columns.prediction].empty() &&
        (fields[*columns.prediction] == "1") != is_outside) {
      throw InputError(
          fmt::format("{}:{}: its ood_prediction does not follow from {}; give the --id-recall or "
                      "--threshold that the file "
                      "was made with, or score the molecules again",
                      request.scores, row->line, verdict.origin()));
    }
    if (in_training) {
      score = -std::numeric_limits<float>::infinity();
    }
    file.scores.push_back(score);
    std::string name = io::name_in_row(columns.names, fields);
    if (name.empty()) {
      name = "line " + (columns.line ? fields[*columns.line] : std::to_string(row->line));
    }
    const double deviation = number(columns.deviation, "deviation"),
                 disagreement = number(columns.disagreement, "share of the seeds");
    file.texts.push_back({std::move(name), std::move(fields[columns.smiles]), "", deviation, disagreement});
  }
  if (file.scores.empty()) {
    throw InputError(request.scores + ": holds no molecules");
  }
  return file;
}

}  // namespace

ReportSummary write_score_page(const ReportRequest& request) {
  const std::filesystem::path out = request.out.empty()
                                        ? std::filesystem::path(request.scores).replace_extension(".html")
                                        : std::filesystem::path(request.out);
  const KnownScores known = read_known_scores(request.folder, request.method);
  const OodVerdict verdict(request.threshold, request.id_recall, known.held_out);
  require_page(out.string(), request.folder, verdict);
  ScoredFile file = read(request, known, verdict);
  const ScoredList list{request.folder, known.score_name, std::move(file.scores),
                        [&](std::size_t row) { return file.texts[row]; }};
  const auto judgements = judge_scores(list, known.held_out, verdict);
  report::DomainPage page = score_page(list, known.held_out, verdict, judgements,
                                       page_order(judgements, list.scores, request.page_rows));
  draw_from_smiles(page, available_processors());
  replace_file(out, report::domain_page(page));
  ReportSummary summary;
  summary.candidates = list.scores.size();
  summary.files = {out.string()};
  return summary;
}

}  // namespace headroom::session
