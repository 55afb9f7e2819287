// `molgauge pocket embed` and `molgauge pocket search`.

#include "pockets/retrieval/search.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/json_text.h"
#include "base/core/text/duration.h"
#include "base/options/report_fields.h"
#include "base/runtime/verb_in_budget.h"
#include "pockets/retrieval/stored_encoder.h"
#include "pockets/verbs/pocket_page.h"
#include "pockets/verbs/pocket_rows.h"

namespace molgauge::verbs {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMatchesOnPage = 200;

std::vector<std::size_t> chosen_graphs(const pocket::GraphSet& graphs, const std::vector<std::string>& names,
                                       const std::string& set) {
  if (names.empty()) {
    return all_graphs(graphs);
  }
  std::vector<std::size_t> chosen;
  for (const std::string& name : names) {
    const auto found = graphs.find(name);
    if (!found) {
      throw InputError(fmt::format("{}: has no pocket {}. The first pocket is {}", set, name,
                                   graphs.graphs().front().name));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

pocket::GraphSet open_graphs(const std::string& folder) {
  pocket::GraphSet graphs = pocket::GraphSet::open(folder);
  if (graphs.graphs().empty()) {
    throw InputError(folder + ": holds no pockets");
  }
  return graphs;
}

/// Returns the JSON in the format of the Python project.
ordered_json as_json(const PocketMatches& found, const PocketSearchRequest& request,
                     std::span<const float> row) {
  ordered_json object = {{"query", found.pocket},
                         {"metric", to_string(request.metric)},
                         {"top_k", request.top_k},
                         {"query_embedding", row}};
  object["matches"] = ordered_json::array();
  for (const PocketMatch& match : found.matches) {
    object["matches"].push_back(
        {{"rank", match.rank}, {"ligand_id", match.ligand}, {"distance", match.distance}});
  }
  return object;
}

std::string page_of(const PocketSearchReport& report, const PocketSearchRequest& request,
                    const pocket::StoredEncoder& encoder, const ops::Floats& rows,
                    const io::KeyedRows& library) {
  page::Page page("Ligands for RNA pockets", fmt::format("{} pockets, {} ligands, {}", report.pockets,
                                                         report.ligands, to_string(request.metric)));
  page.section("Nearest ligands");
  page::Table table{
      .caption = "", .columns = {{"pocket"}, {"rank", true}, {"ligand"}, {"distance", true}}, .rows = {}};
  for (const PocketMatches& found : report.found) {
    for (const PocketMatch& match : found.matches) {
      if (table.rows.size() < kMatchesOnPage) {
        table.rows.push_back({{found.pocket},
                              {std::to_string(match.rank)},
                              {match.ligand},
                              {fmt::format("{:.4f}", match.distance)}});
      }
    }
  }
  page.table(table);
  if (report.pockets * request.top_k > table.rows.size()) {
    page.paragraph(
        fmt::format("The first {} matches are shown. {} contains all.", table.rows.size(), request.out));
  }
  page.section("Projection");
  page.figures({projection_of(rows, library, {}, runtime::threads_of(request.compute))});
  if (const auto curves = training_curves(encoder.file); !curves.empty()) {
    page.section("Training");
    page.figures(curves);
  }
  return page.to_string();
}

PocketEmbedReport embed_pockets(const PocketEmbedRequest& request) {
  const Stopwatch watch;
  const Device device = parse_pocket_device(request.compute.device);
  io::require_keyed_rows_name(request.out);
  runtime::BudgetScope memory(request.compute, device);
  const pocket::StoredEncoder encoder = pocket::read_encoder(request.encoder, request.reference_compatible);
  const pocket::GraphSet graphs = open_graphs(request.graphs);
  const ops::Floats rows =
      encode_within_memory(encoder, graphs, all_graphs(graphs), request.compute, device, memory);
  io::KeyedRows named{
      .keys = {}, .width = rows.width(), .numbers = {rows.data(), rows.data() + rows.count()}};
  for (const pocket::GraphEntry& entry : graphs.graphs()) {
    named.keys.push_back(entry.name);
  }
  io::write_keyed_rows(request.out, named);
  return {.pockets = named.keys.size(),
          .width = static_cast<std::size_t>(named.width),
          .seconds = watch.seconds(),
          .phases = memory.phases().reports()};
}

PocketSearchReport search_ligands(const PocketSearchRequest& request) {
  const Stopwatch watch;
  const Device device = parse_pocket_device(request.compute.device);
  const PocketMetric metric = request.metric;
  runtime::BudgetScope memory(request.compute, device);
  const pocket::StoredEncoder encoder = pocket::read_encoder(request.encoder, request.reference_compatible);
  const pocket::GraphSet graphs = open_graphs(request.graphs);
  const std::vector<std::size_t> chosen = chosen_graphs(graphs, request.pocket, request.graphs);
  const io::KeyedRows library = io::read_keyed_rows(request.ligands);
  pocket::require_width(library, encoder.shape.output, request.ligands);
  const ops::Floats rows = encode_within_memory(encoder, graphs, chosen, request.compute, device, memory);

  PocketSearchReport report;
  report.pockets = chosen.size();
  report.ligands = library.keys.size();
  {
    const memory::Phase phase = memory.phases().begin("search");
    auto found =
        pocket::nearest_ligands(rows, library, metric, request.top_k, runtime::threads_of(request.compute));
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      report.found.push_back({graphs.graphs()[chosen[i]].name, std::move(found[i])});
    }
  }
  ordered_json content;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::span<const float> row(rows.data() + static_cast<std::int64_t>(i) * rows.width(),
                                     static_cast<std::size_t>(rows.width()));
    content["queries"].push_back(as_json(report.found[i], request, row));
  }
  // A single query is written in the format of the Python project.
  replace_file(request.out, json_text(chosen.size() == 1 ? content["queries"][0] : content));
  if (!request.page.empty()) {
    replace_file(request.page, page_of(report, request, encoder, rows, library));
  }
  report.seconds = watch.seconds();
  report.phases = memory.phases().reports();
  return report;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(PocketMatch, rank, ligand, distance)
MOLGAUGE_REPORT_FIELDS(PocketMatches, pocket, matches)
MOLGAUGE_REPORT_FIELDS(PocketEmbedReport, pockets, width, seconds, phases)
MOLGAUGE_REPORT_FIELDS(PocketSearchReport, pockets, ligands, found, seconds, phases)

template <>
verbs::Verb verbs::verb<PocketEmbedRequest>() {
  return budget_row<PocketEmbedRequest>("pocket_embed", embed_pockets);
}

template <>
verbs::Verb verbs::verb<PocketSearchRequest>() {
  return budget_row<PocketSearchRequest>("pocket_search", search_ligands);
}

}  // namespace molgauge
