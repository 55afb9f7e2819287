#include <fmt/format.h>

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "headroom/pocket_search.h"
#include "headroom/pocket_train.h"
#include "page/text_table.h"
#include "print.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
namespace {

constexpr std::size_t kMatchesShown = 20;

void train(const PocketTrainRequest& request) {
  const PocketTrainReport report = load_engine().train_pockets(request);
  if (report.rank > 0) {
    return;  // the first of several processes speaks for all
  }
  print_phases(report.phases);
  if (report.oom_recoveries > 0) {
    tell("memory ran out {}; the work was done after all\n", counted(report.oom_recoveries, "time"));
  }
  print_result("{}: {} to train on, {} for validation, {} for test, {} left out\n", request.run,
               counted(report.train, "pocket"), report.validation, report.test, report.left_out);
  print_result("best validation loss {:.6f} (cosine {:.4f}) in epoch {} of {}{}\n",
               report.best_validation_loss, report.best_validation_cosine, report.best_epoch + 1,
               report.epochs_run, report.stopped_early ? " (stopped early)" : "");
}

void embed(const PocketEmbedRequest& request) {
  const PocketEmbedReport report = load_engine().embed_pockets(request);
  print_phases(report.phases);
  print_result("{}: {} of {} numbers\n", request.out, counted(report.pockets, "row"), report.width);
}

void search(const PocketSearchRequest& request) {
  const PocketSearchReport report = load_engine().search_ligands(request);
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

void evaluate(const PocketEvaluateRequest& request) {
  const PocketEvaluateReport report = load_engine().evaluate_pockets(request);
  print_phases(report.phases);
  page::TextTable table({"figure", "encoder", "random order"});
  const auto ligands = static_cast<double>(report.ligands);
  table.add_row(
      {"mean reciprocal rank", fmt::format("{:.4f}", report.mrr), fmt::format("{:.4f}", report.random_mrr)});
  table.add_row(
      {"mean rank", fmt::format("{:.1f}", report.mean_rank), fmt::format("{:.1f}", (ligands + 1) / 2)});
  for (const RecallAt& recall : report.recall) {
    table.add_row({fmt::format("recall at {}", recall.k), fmt::format("{:.1f}%", recall.percent),
                   fmt::format("{:.1f}%", 100 * std::min(1.0, static_cast<double>(recall.k) / ligands))});
  }
  for (const HitRate& rate : report.hit_rates) {
    table.add_row({fmt::format("hits in the first {:g}%", rate.percentage),
                   fmt::format("{:.1f}%", rate.hit_rate),
                   fmt::format("{:.1f}%", 100 * static_cast<double>(rate.k_value) / ligands)});
  }
  print_result("{}{}: {} ranked among {}, {} left out\n", table.to_string(), request.out,
               counted(report.pockets, "pocket"), counted(report.ligands, "ligand"), report.failed);
}

template <typename Request>
CLI::App* add(CLI::App& pocket, Verbs& verbs, const char* name, const char* what,
              void (*run)(const Request&)) {
  auto* const command = pocket.add_subcommand(name, what);
  auto request = std::make_shared<Request>();
  add_options(*command, *request);
  verbs.push_back({command, [request, command, run] {
                     refuse_options_without_effect(*command, options::view(*request));
                     run(*request);
                   }});
  return command;
}

}  // namespace

void add_pocket_models(CLI::App& pocket, Verbs& verbs) {
  add(pocket, verbs, "train", "Train an encoder that places pockets beside the rows of their ligands", train)
      ->footer("Example: headroom pocket train graphs --ligands ligands.h5 --run runs/pocket");
  add(pocket, verbs, "embed", "Write a row for each pocket", embed)
      ->footer("Example: headroom pocket embed runs/pocket graphs --out pockets.h5");
  add(pocket, verbs, "search", "Find the ligands of a library that lie nearest to pockets", search)
      ->footer("Example: headroom pocket search runs/pocket graphs --ligands library.h5 --out matches.json");
  add(pocket, verbs, "evaluate", "Rank the true ligands of pockets among a library's", evaluate)
      ->footer("Example: headroom pocket evaluate runs/pocket graphs --ligands library.h5 --out ranks.json");
}

}  // namespace headroom::cli
