// `headroom pocket evaluate`: where the true ligands of pockets stand in a library.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/json_text.h"
#include "core/log.h"
#include "engine/verbs.h"
#include "pocket/retrieval/ranking.h"
#include "pocket/retrieval/stored_encoder.h"
#include "pocket/training/run_files.h"
#include "pocket/training/selection.h"
#include "session/pocket/pocket_page.h"
#include "session/pocket/pocket_rows.h"

namespace headroom::verbs {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShownOnPage = 200;

/// "1,5,10" as numbers above 0 and at most `most`.
std::vector<double> numbers_in(const std::string& text, const char* option, double most) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    double number = 0;
    const auto [after, problem] = std::from_chars(at, end, number);
    if (problem != std::errc{} || !(number > 0) || number > most ||
        (after != end && (*after != ',' || after + 1 == end))) {
      throw UsageError(fmt::format("--{} {}: numbers above 0 and at most {}, with commas between them",
                                   option, text, most));
    }
    numbers.push_back(number);
    at = after == end ? end : after + 1;
  }
  if (numbers.empty()) {
    throw UsageError(fmt::format("--{}: names no number", option));
  }
  return numbers;
}

std::vector<std::string> names_of_part(const PocketEvaluateRequest& request, const pocket::GraphSet& graphs,
                                       const std::string& encoder_file) {
  std::vector<std::string> names;
  if (request.part == "all") {
    for (const pocket::GraphEntry& entry : graphs.graphs()) {
      names.push_back(entry.name);
    }
    return names;
  }
  std::filesystem::path file = request.splits;
  if (file.empty()) {
    file = std::filesystem::path(encoder_file).parent_path() / pocket::kSplitFile;
    if (!std::filesystem::exists(file)) {
      throw UsageError(
          fmt::format("{}: is not there; name the parts with --splits, or take --part all", file.string()));
    }
  }
  pocket::PocketSplit split = pocket::read_split(file);
  names = request.part == "train" ? split.train : request.part == "val" ? split.validation : split.test;
  if (names.empty()) {
    throw InputError(fmt::format("{}: the part {} is empty", file.string(), request.part));
  }
  return names;
}

struct Ranked {
  std::vector<pocket::RankedPocket> pockets;
  std::vector<pocket::UnrankedPocket> failed;
  std::vector<std::size_t> graphs, truths;
  ops::Floats rows;
};

Ranked find_truths(const std::vector<std::string>& names, const pocket::GraphSet& graphs,
                   const io::KeyedRows& library) {
  Ranked ranked;
  for (const std::string& name : names) {
    const auto graph = graphs.find(name);
    // The library is one of ligands: bare codes first.
    const auto by_code = library.find(pocket::unit_of(name, pocket::SplitUnit::ligand));
    const auto truth = by_code || !graph ? by_code : pocket::find_ligand(library, graphs.graphs()[*graph]);
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

ordered_json as_json(const PocketEvaluateReport& report, const Ranked& ranked,
                     const PocketEvaluateRequest& request) {
  ordered_json content = {
      {"metric", request.metric},
      {"part", request.part},
      {"num_samples", report.pockets},
      {"library_size", report.ligands},
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
                                      {"rank", pocket.rank},
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
  page::Page page("Retrieval of ligands by RNA pockets",
                  fmt::format("{} pockets, {} ligands, {}", report.pockets, report.ligands, request.metric));
  page.section("Figures");
  page::Table table{
      .caption = "", .columns = {{"figure"}, {"encoder", true}, {"random order", true}}, .rows = {}};
  const auto add = [&](std::string name, double own, double random) {
    table.rows.push_back({{std::move(name)}, {fmt::format("{:.4g}", own)}, {fmt::format("{:.4g}", random)}});
  };
  const auto ligands = static_cast<double>(report.ligands);
  add("mean reciprocal rank", report.mrr, report.random_mrr);
  add("first place, %", report.top1_percent, report.random_top1_percent);
  add("mean rank", report.mean_rank, (ligands + 1) / 2);
  for (const RecallAt& recall : report.recall) {
    add(fmt::format("among the first {}, %", recall.k), recall.percent,
        100 * std::min(1.0, static_cast<double>(recall.k) / ligands));
  }
  for (const HitRate& rate : report.hit_rates) {
    add(fmt::format("among the first {:g}% ({}), enrichment", rate.percentage, rate.k_value), rate.enrichment,
        1);
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
  page.figures({session::projection_of(ranked.rows, library, {ranked.truths.begin(), ranked.truths.end()},
                                       session::threads_of(request.compute))});
  if (const auto curves = session::training_curves(encoder.file); !curves.empty()) {
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

}  // namespace

PocketEvaluateReport evaluate_pockets(const PocketEvaluateRequest& request) {
  const Device device = session::parse_pocket_device(request.compute.device);
  const pocket::Metric metric = pocket::parse_metric(request.metric);
  const std::vector<double> ks = numbers_in(request.recall_k, "recall-k", 1e9);
  if (std::any_of(ks.begin(), ks.end(), [](double k) { return k != std::floor(k); })) {
    throw UsageError(fmt::format("--recall-k {}: whole numbers of ligands", request.recall_k));
  }
  const std::vector<double> percentages = numbers_in(request.top_percentages, "top-percentages", 100);
  session::MemorySession memory(request.compute, device);
  const pocket::StoredEncoder encoder = pocket::read_encoder(request.encoder, request.reference_compatible);
  const pocket::GraphSet graphs = pocket::GraphSet::open(request.graphs);
  const io::KeyedRows library = io::read_keyed_rows(request.ligands);
  pocket::require_width(library, encoder.shape.output, request.ligands);
  Ranked ranked = find_truths(names_of_part(request, graphs, encoder.file), graphs, library);
  if (ranked.graphs.empty()) {
    throw InputError(fmt::format("no pocket of the part {} has a graph in {} and its ligand in {}",
                                 request.part, request.graphs, request.ligands));
  }
  if (!ranked.failed.empty()) {
    log_warning("{} pockets are left out; {} says why", ranked.failed.size(), request.out);
  }
  ranked.rows =
      session::encode_within_memory(encoder, graphs, ranked.graphs, request.compute, device, memory);
  for (std::size_t i = 0; i < ranked.graphs.size(); ++i) {
    ranked.pockets.push_back(
        pocket::rank_ligand(graphs.graphs()[ranked.graphs[i]].name,
                            ranked.rows.data() + static_cast<std::int64_t>(i) * ranked.rows.width(),
                            ranked.truths[i], library, metric));
  }
  PocketEvaluateReport report;
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

}  // namespace headroom::verbs
