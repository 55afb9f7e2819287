// `molgauge pocket evaluate`: computes the ranks of the true ligands of pockets in a library.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"
#include "base/options/report_fields.h"
#include "base/runtime/verb_in_budget.h"
#include "pockets/retrieval/ranking.h"
#include "pockets/retrieval/stored_encoder.h"
#include "pockets/training/run_files.h"
#include "pockets/training/selection.h"
#include "pockets/verbs/pocket_page.h"
#include "pockets/verbs/pocket_rows.h"

namespace molgauge::verbs {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShownOnPage = 200;

/// Parses a list such as "1,5,10". The numbers must be above 0 and at most `most`.
std::vector<double> numbers_in(const std::string& text, const char* option, double most) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    double number = 0;
    const auto [after, problem] = std::from_chars(at, end, number);
    if (problem != std::errc{} || !(number > 0) || number > most ||
        (after != end && (*after != ',' || after + 1 == end))) {
      throw UsageError(
          fmt::format("--{} {}: is not a list of numbers above 0 and at most {}, separated by commas", option,
                      text, most));
    }
    numbers.push_back(number);
    at = after == end ? end : after + 1;
  }
  if (numbers.empty()) {
    throw UsageError(fmt::format("--{}: is an empty list. Give at least one number", option));
  }
  return numbers;
}

/// Returns the file with the splits, or an empty path.
std::filesystem::path split_file(const PocketEvaluateRequest& request, const std::string& encoder_file) {
  if (!request.splits.empty()) {
    return request.splits;
  }
  std::filesystem::path file = std::filesystem::path(encoder_file).parent_path() / pocket::kSplitFile;
  return std::filesystem::exists(file) ? file : std::filesystem::path();
}

std::vector<std::string> names_of_part(const PocketEvaluateRequest& request, const pocket::GraphSet& graphs,
                                       const std::string& encoder_file) {
  std::vector<std::string> names;
  if (request.part == PocketPart::all) {
    for (const pocket::GraphEntry& entry : graphs.graphs()) {
      names.push_back(entry.name);
    }
    return names;
  }
  const std::filesystem::path file = split_file(request, encoder_file);
  if (file.empty()) {
    throw UsageError(fmt::format("{}: has no {} next to it. Name the parts with --splits, or use --part all",
                                 encoder_file, pocket::kSplitFile));
  }
  pocket::PocketSplit split = pocket::read_split(file);
  names = request.part == PocketPart::train        ? split.train
          : request.part == PocketPart::validation ? split.validation
                                                   : split.test;
  if (names.empty()) {
    throw InputError(fmt::format("{}: the part {} is empty", file.string(), to_string(request.part)));
  }
  return names;
}

struct Ranked {
  std::vector<pocket::RankedPocket> pockets;
  std::vector<pocket::UnrankedPocket> failed;
  std::vector<std::size_t> graphs, truths;
  ops::Floats rows;
};

/// Returns the row of the ligand of a pocket in the library. Looks for the ligand code first, because a
/// library of ligands has these codes as keys.
std::optional<std::size_t> truth_of(const std::string& name, const pocket::GraphSet& graphs,
                                    const io::KeyedRows& library) {
  const auto by_code = library.find(pocket::unit_of(name, SplitUnit::ligand));
  const auto graph = graphs.find(name);
  return by_code || !graph ? by_code : pocket::find_ligand(library, graphs.graphs()[*graph]);
}

Ranked find_truths(const std::vector<std::string>& names, const pocket::GraphSet& graphs,
                   const io::KeyedRows& library) {
  Ranked ranked;
  for (const std::string& name : names) {
    const auto graph = graphs.find(name);
    const auto truth = truth_of(name, graphs, library);
    if (!graph) {
      ranked.failed.push_back({name, "no graph"});
    } else if (!truth) {
      ranked.failed.push_back({name, "its ligand is not in the library"});
    } else {
      ranked.graphs.push_back(*graph);
      ranked.truths.push_back(*truth);
    }
  }
  return ranked;
}

/// Returns for each ranked pocket whether the training has seen its ligand. This is the case if a training
/// pocket has a ligand with the same code, or a ligand row with equal numbers. Returns std::nullopt if the
/// training pockets are unknown.
std::optional<std::vector<bool>> seen_in_training(const Ranked& ranked, const std::filesystem::path& splits,
                                                  const pocket::GraphSet& graphs,
                                                  const io::KeyedRows& library) {
  if (splits.empty()) {
    return std::nullopt;
  }
  std::set<std::string> codes;
  std::set<std::vector<float>> rows;
  const auto row_of = [&](std::size_t row) {
    return std::vector<float>(library.row(row), library.row(row) + library.width);
  };
  for (const std::string& name : pocket::read_split(splits).train) {
    codes.insert(pocket::unit_of(name, SplitUnit::ligand));
    if (const auto truth = truth_of(name, graphs, library)) {
      rows.insert(row_of(*truth));
    }
  }
  std::vector<bool> seen;
  for (std::size_t i = 0; i < ranked.graphs.size(); ++i) {
    const std::string& name = graphs.graphs()[ranked.graphs[i]].name;
    seen.push_back(codes.contains(pocket::unit_of(name, SplitUnit::ligand)) ||
                   rows.contains(row_of(ranked.truths[i])));
  }
  return seen;
}

ordered_json as_json(const pocket::RankStatistics& statistics) {
  return {{"mean", statistics.mean},
          {"median", statistics.median},
          {"min", statistics.least},
          {"max", statistics.most},
          {"std", statistics.deviation}};
}

template <typename Number>
pocket::RankStatistics statistics_over(const std::vector<pocket::RankedPocket>& ranked,
                                       Number pocket::RankedPocket::*of) {
  std::vector<double> numbers;
  numbers.reserve(ranked.size());
  for (const pocket::RankedPocket& pocket : ranked) {
    numbers.push_back(static_cast<double>(pocket.*of));
  }
  return pocket::statistics_of(std::move(numbers));
}

ordered_json as_json(const RetrievalFigures& figures, const PocketEvaluateReport& report) {
  ordered_json content = {{"complexes", figures.complexes},
                          {"pockets", figures.pockets},
                          {"mean_rank", figures.mean_rank},
                          {"mean_normalized_rank", figures.mean_normalized_rank},
                          {"mrr", figures.mrr},
                          {"top1_accuracy", figures.top1_percent}};
  for (std::size_t i = 0; i < report.recall.size(); ++i) {
    content["recall_percent"][std::to_string(report.recall[i].k)] = figures.recall_percent[i];
  }
  for (std::size_t i = 0; i < report.hit_rates.size(); ++i) {
    content["hit_percent"][fmt::format("{:g}", report.hit_rates[i].percentage)] = figures.hit_percent[i];
  }
  return content;
}

ordered_json as_json(const std::optional<RetrievalFigures>& figures, const PocketEvaluateReport& report) {
  return figures ? as_json(*figures, report) : ordered_json(nullptr);
}

ordered_json as_json(const PocketEvaluateReport& report, const Ranked& ranked,
                     const PocketEvaluateRequest& request) {
  ordered_json content = {
      {"metric", to_string(request.metric)},
      {"part", to_string(request.part)},
      {"num_samples", report.pockets},
      {"library_size", report.ligands},
      {"by_complex", as_json(report.by_complex, report)},
      {"seen_ligands", as_json(report.seen_ligands, report)},
      {"unseen_ligands", as_json(report.unseen_ligands, report)},
      {"rank", as_json(statistics_over(ranked.pockets, &pocket::RankedPocket::rank))},
      {"normalized_rank", as_json(statistics_over(ranked.pockets, &pocket::RankedPocket::normalized_rank))},
      {"distance", as_json(statistics_over(ranked.pockets, &pocket::RankedPocket::distance))},
      {"mrr", report.mrr},
      {"top1_accuracy", report.top1_percent},
      {"random_mrr", report.random_mrr},
      {"random_top1_accuracy", report.random_top1_percent}};
  for (const RecallAt& recall : report.recall) {
    content["recall_at_k"][std::to_string(recall.k)] = {
        {"hits", recall.hits}, {"total", recall.total}, {"percent", recall.percent}};
  }
  for (const HitRate& rate : report.hit_rates) {
    content["hit_rates"][fmt::format("{:g}", rate.percentage)] = {{"hit_rate", rate.hit_rate},
                                                                  {"k_value", rate.k_value},
                                                                  {"hits", rate.hits},
                                                                  {"misses", rate.misses},
                                                                  {"enrichment", rate.enrichment}};
  }
  content["predictions"] = ordered_json::array();
  for (const pocket::RankedPocket& pocket : ranked.pockets) {
    ordered_json best = ordered_json::array();
    for (const PocketMatch& match : pocket.best) {
      best.push_back({{"rank", match.rank}, {"ligand_id", match.ligand}, {"distance", match.distance}});
    }
    content["predictions"].push_back({{"pocket", pocket.pocket},
                                      {"ligand", pocket.ligand},
                                      {"complex", pocket.complex},
                                      {"rank", pocket.rank},
                                      {"mid_rank", pocket.mid_rank()},
                                      {"normalized_rank", pocket.normalized_rank},
                                      {"reciprocal_rank", 1 / static_cast<double>(pocket.rank)},
                                      {"distance", pocket.distance},
                                      {"best", std::move(best)}});
  }
  content["failed_predictions"] = ordered_json::array();
  for (const pocket::UnrankedPocket& failed : ranked.failed) {
    content["failed_predictions"].push_back({{"pocket", failed.pocket}, {"reason", failed.reason}});
  }
  return content;
}

std::string page_of(const PocketEvaluateReport& report, const Ranked& ranked,
                    const PocketEvaluateRequest& request, const pocket::StoredEncoder& encoder,
                    const io::KeyedRows& library) {
  page::Page page(
      "Retrieval of ligands by RNA pockets",
      fmt::format("{} pockets, {} ligands, {}", report.pockets, report.ligands, to_string(request.metric)));
  page.section("Figures");
  page.paragraph(
      "Each complex counts once: its pockets are averaged first. Ligands at the same distance share their "
      "ranks. Seen ligands were training targets, so their figures do not apply to new ligands.");
  std::vector<std::pair<const char*, const RetrievalFigures*>> columns = {{"all", &report.by_complex}};
  if (report.unseen_ligands && report.seen_ligands) {
    columns.emplace_back("unseen ligands", &*report.unseen_ligands);
    columns.emplace_back("seen ligands", &*report.seen_ligands);
  } else {
    page.paragraph(
        "The training pockets are not known, so the table does not separate seen and unseen ligands.");
  }
  page::Table table{.caption = "", .columns = {{"figure"}}, .rows = {}};
  for (const auto& [name, figures] : columns) {
    table.columns.push_back({name, true});
  }
  table.columns.push_back({"random order", true});
  const auto add = [&](std::string name, const auto& figure, double random) {
    std::vector<page::TableCell> row = {{std::move(name)}};
    for (const auto& [column, figures] : columns) {
      row.push_back({figures->complexes == 0 ? "\u2013" : fmt::format("{:.4g}", figure(*figures))});
    }
    row.push_back({fmt::format("{:.4g}", random)});
    table.rows.push_back(std::move(row));
  };
  const auto ligands = static_cast<double>(report.ligands);
  const auto by_chance = [&](std::size_t k) { return 100 * std::min(1.0, static_cast<double>(k) / ligands); };
  add(
      "complexes", [](const RetrievalFigures& own) { return static_cast<double>(own.complexes); },
      static_cast<double>(report.by_complex.complexes));
  add(
      "mean reciprocal rank", [](const RetrievalFigures& own) { return own.mrr; }, report.random_mrr);
  add(
      "first place, %", [](const RetrievalFigures& own) { return own.top1_percent; },
      report.random_top1_percent);
  add(
      "mean rank", [](const RetrievalFigures& own) { return own.mean_rank; }, (ligands + 1) / 2);
  for (std::size_t i = 0; i < report.recall.size(); ++i) {
    add(
        fmt::format("among the first {}, %", report.recall[i].k),
        [&](const RetrievalFigures& own) { return own.recall_percent[i]; }, by_chance(report.recall[i].k));
  }
  for (std::size_t i = 0; i < report.hit_rates.size(); ++i) {
    const HitRate& rate = report.hit_rates[i];
    add(
        fmt::format("among the first {:g}% ({}), %", rate.percentage, rate.k_value),
        [&](const RetrievalFigures& own) { return own.hit_percent[i]; }, by_chance(rate.k_value));
  }
  page.table(table);
  page.section("Pockets");
  page::Table pockets{
      .caption = "",
      .columns = {{"pocket"}, {"ligand"}, {"rank", true}, {"distance", true}, {"nearest ligand"}},
      .rows = {}};
  for (std::size_t i = 0; i < std::min(kShownOnPage, ranked.pockets.size()); ++i) {
    const pocket::RankedPocket& pocket = ranked.pockets[i];
    pockets.rows.push_back({{pocket.pocket},
                            {pocket.ligand},
                            {std::to_string(pocket.rank)},
                            {fmt::format("{:.4f}", pocket.distance)},
                            {pocket.best.front().ligand}});
  }
  page.table(pockets);
  page.section("Projection");
  page.figures({projection_of(ranked.rows, library, {ranked.truths.begin(), ranked.truths.end()},
                              runtime::threads_of(request.compute))});
  if (const auto curves = training_curves(encoder.file); !curves.empty()) {
    page.section("Training");
    page.figures(curves);
  }
  if (!ranked.failed.empty()) {
    page.section("Left out");
    std::vector<std::string> items;
    for (std::size_t i = 0; i < std::min(kShownOnPage, ranked.failed.size()); ++i) {
      items.push_back(ranked.failed[i].pocket + ": " + ranked.failed[i].reason);
    }
    page.list(items);
  }
  return page.to_string();
}

PocketEvaluateReport evaluate_pockets(const PocketEvaluateRequest& request) {
  const Device device = parse_pocket_device(request.compute.device);
  const PocketMetric metric = request.metric;
  const std::vector<double> ks = numbers_in(request.recall_k, "recall-k", 1e9);
  if (std::any_of(ks.begin(), ks.end(), [](double k) { return k != std::floor(k); })) {
    throw UsageError(fmt::format("--recall-k {}: is not a list of whole numbers", request.recall_k));
  }
  const std::vector<double> percentages = numbers_in(request.top_percentages, "top-percentages", 100);
  runtime::BudgetScope memory(request.compute, device);
  const pocket::StoredEncoder encoder = pocket::read_encoder(request.encoder, request.reference_compatible);
  const pocket::GraphSet graphs = pocket::GraphSet::open(request.graphs);
  const io::KeyedRows library = io::read_keyed_rows(request.ligands);
  pocket::require_width(library, encoder.shape.output, request.ligands);
  Ranked ranked = find_truths(names_of_part(request, graphs, encoder.file), graphs, library);
  if (ranked.graphs.empty()) {
    throw InputError(fmt::format("no pocket of the part {} has a graph in {} and its ligand in {}",
                                 to_string(request.part), request.graphs, request.ligands));
  }
  if (!ranked.failed.empty()) {
    log_warning("{} pockets are left out. {} gives the reasons", ranked.failed.size(), request.out);
  }
  ranked.rows = encode_within_memory(encoder, graphs, ranked.graphs, request.compute, device, memory);
  for (std::size_t i = 0; i < ranked.graphs.size(); ++i) {
    ranked.pockets.push_back(
        pocket::rank_ligand(graphs.graphs()[ranked.graphs[i]].name,
                            ranked.rows.data() + static_cast<std::int64_t>(i) * ranked.rows.width(),
                            ranked.truths[i], library, metric));
  }
  PocketEvaluateReport report;
  std::vector<std::size_t> whole_ks;
  whole_ks.reserve(ks.size());
  for (const double k : ks) {
    whole_ks.push_back(static_cast<std::size_t>(k));
  }
  const auto figures_of = [&](const std::vector<pocket::RankedPocket>& pockets) {
    return pocket::figures_by_complex(pockets, library.keys.size(), whole_ks, percentages);
  };
  report.by_complex = figures_of(ranked.pockets);
  if (const auto seen = seen_in_training(ranked, split_file(request, encoder.file), graphs, library)) {
    std::vector<pocket::RankedPocket> with_seen, with_unseen;
    for (std::size_t i = 0; i < ranked.pockets.size(); ++i) {
      ((*seen)[i] ? with_seen : with_unseen).push_back(ranked.pockets[i]);
    }
    report.seen_ligands = figures_of(with_seen);
    report.unseen_ligands = figures_of(with_unseen);
  }
  report.pockets = ranked.pockets.size();
  report.failed = ranked.failed.size();
  report.ligands = library.keys.size();
  const pocket::RankStatistics ranks = statistics_over(ranked.pockets, &pocket::RankedPocket::rank);
  report.mean_rank = ranks.mean;
  report.median_rank = ranks.median;
  report.mean_normalized_rank = statistics_over(ranked.pockets, &pocket::RankedPocket::normalized_rank).mean;
  report.mrr = pocket::mean_reciprocal_rank(ranked.pockets);
  report.top1_percent = pocket::recall_at(ranked.pockets, 1).percent;
  report.random_mrr = pocket::random_reciprocal_rank(report.ligands);
  report.random_top1_percent = 100 / static_cast<double>(report.ligands);
  for (const double k : ks) {
    report.recall.push_back(pocket::recall_at(ranked.pockets, static_cast<std::size_t>(k)));
  }
  for (const double percentage : percentages) {
    report.hit_rates.push_back(pocket::hit_rate(ranked.pockets, percentage, report.ligands));
  }
  report.phases = memory.phases().reports();
  replace_file(request.out, json_text(as_json(report, ranked, request)));
  if (!request.page.empty()) {
    replace_file(request.page, page_of(report, ranked, request, encoder, library));
  }
  return report;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(RecallAt, k, hits, total, percent)
MOLGAUGE_REPORT_FIELDS(HitRate, percentage, k_value, hits, misses, hit_rate, enrichment)
MOLGAUGE_REPORT_FIELDS(RetrievalFigures, pockets, complexes, mean_rank, mean_normalized_rank, mrr,
                       top1_percent, recall_percent, hit_percent)
MOLGAUGE_REPORT_FIELDS(PocketEvaluateReport, by_complex, seen_ligands, unseen_ligands, pockets, failed,
                       ligands, mean_rank, median_rank, mean_normalized_rank, mrr, top1_percent, random_mrr,
                       random_top1_percent, recall, hit_rates, phases)

template <>
verbs::Verb verbs::verb<PocketEvaluateRequest>() {
  return budget_row<PocketEvaluateRequest>("pocket_evaluate", evaluate_pockets);
}

}  // namespace molgauge
