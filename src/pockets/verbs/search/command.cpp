#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "base/page/text_table.h"
#include "molgauge/pocket_search.h"

namespace molgauge::cli {
namespace {

constexpr std::size_t kMatchesShown = 20;

void run(const PocketEmbedRequest& request) {
  const PocketEmbedReport report = load_engine().run(request);
  print_phases(report.phases);
  print_result("{}: {} with {} features\n", request.out, counted(report.pockets, "row"), report.width);
}

void run(const PocketSearchRequest& request) {
  const PocketSearchReport report = load_engine().run(request);
  print_phases(report.phases);
  page::TextTable table({"pocket", "rank", "ligand", "distance"});
  std::size_t shown = 0;
  for (const PocketMatches& found : report.found) {
    for (const PocketMatch& match : found.matches) {
      if (shown++ < kMatchesShown) {
        table.add_row(
            {found.pocket, std::to_string(match.rank), match.ligand, fmt::format("{:.4f}", match.distance)});
      }
    }
  }
  print_result("{}{}: {} for {} among {}\n", table.to_string(), request.out, counted(shown, "match"),
               counted(report.pockets, "pocket"), counted(report.ligands, "ligand"));
}

void run(const PocketEvaluateRequest& request) {
  const PocketEvaluateReport report = load_engine().run(request);
  print_phases(report.phases);
  std::vector<const RetrievalFigures*> columns = {&report.by_complex};
  std::vector<std::string> header = {"figure, by complex", "all"};
  if (report.unseen_ligands && report.seen_ligands) {
    columns.insert(columns.end(), {&*report.unseen_ligands, &*report.seen_ligands});
    header.insert(header.end(), {"unseen ligands", "seen ligands"});
  }
  header.emplace_back("random order");
  page::TextTable table(header);
  const auto ligands = static_cast<double>(report.ligands);
  const auto add = [&](std::string name, const auto& figure, std::string random) {
    std::vector<std::string> row = {std::move(name)};
    for (const RetrievalFigures* const own : columns) {
      row.push_back(own->complexes == 0 ? "-" : figure(*own));
    }
    row.push_back(std::move(random));
    table.add_row(row);
  };
  const auto by_chance = [&](std::size_t k) {
    return fmt::format("{:.1f}%", 100 * std::min(1.0, static_cast<double>(k) / ligands));
  };
  add(
      "complexes", [](const auto& own) { return std::to_string(own.complexes); }, "");
  add(
      "mean reciprocal rank", [](const auto& own) { return fmt::format("{:.4f}", own.mrr); },
      fmt::format("{:.4f}", report.random_mrr));
  add(
      "mean rank", [](const auto& own) { return fmt::format("{:.1f}", own.mean_rank); },
      fmt::format("{:.1f}", (ligands + 1) / 2));
  for (std::size_t i = 0; i < report.recall.size(); ++i) {
    add(
        fmt::format("recall at {}", report.recall[i].k),
        [&](const auto& own) { return fmt::format("{:.1f}%", own.recall_percent[i]); },
        by_chance(report.recall[i].k));
  }
  for (std::size_t i = 0; i < report.hit_rates.size(); ++i) {
    add(
        fmt::format("hits in the first {:g}%", report.hit_rates[i].percentage),
        [&](const auto& own) { return fmt::format("{:.1f}%", own.hit_percent[i]); },
        by_chance(report.hit_rates[i].k_value));
  }
  print_result("{}{}: {} ranked among {}, {} left out\n", table.to_string(), request.out,
               counted(report.pockets, "pocket"), counted(report.ligands, "ligand"), report.failed);
}

}  // namespace

template <>
std::vector<Command> commands<PocketEmbedRequest>() {
  return {{.name = "pocket embed",
           .summary = "Encode pockets and write a feature row for each",
           .add = runs<PocketEmbedRequest>(run),
           .ending = "Example: molgauge pocket embed runs/pocket graphs --out pockets.h5"}};
}

template <>
std::vector<Command> commands<PocketSearchRequest>() {
  return {{.name = "pocket search",
           .summary = "Find the nearest ligands of a library for each pocket",
           .add = runs<PocketSearchRequest>(run),
           .ending =
               "Example: molgauge pocket search runs/pocket graphs --ligands library.h5 --out matches.json"}};
}

template <>
std::vector<Command> commands<PocketEvaluateRequest>() {
  return {{.name = "pocket evaluate",
           .summary = "Rank the true ligand of each pocket within a ligand library",
           .add = runs<PocketEvaluateRequest>(run),
           .ending =
               "Example: molgauge pocket evaluate runs/pocket graphs --ligands library.h5 --out ranks.json"}};
}

}  // namespace molgauge::cli
