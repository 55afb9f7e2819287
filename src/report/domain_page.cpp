#include "report/domain_page.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "page/markup.h"
#include "page/page.h"

namespace headroom::report {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 4> kVerdicts = {"inside", "borderline", "outside", "unreadable"};

json number(double value) {
  return std::isfinite(value) ? json(std::round(value * 1e5) / 1e5) : json(nullptr);
}

json molecule_json(const DrawnMolecule& molecule) {
  return {molecule.name, molecule.smiles, molecule.layout};
}

json row_json(const DomainRow& row, bool has_map) {
  json nearest = json::array();
  for (const DomainRow::Nearest& own : row.nearest) {
    nearest.push_back({own.molecule, number(own.tanimoto), number(own.distance)});
  }
  const bool placed = has_map && row.verdict < 3;
  return {row.molecule.name,
          row.molecule.smiles,
          row.verdict,
          number(row.p_value),
          number(row.adjusted),
          number(row.score),
          number(row.percentile),
          nearest,
          row.foreign_atoms,
          row.words,
          row.molecule.layout,
          placed ? number(row.place[0]) : json(nullptr),
          placed ? number(row.place[1]) : json(nullptr)};
}

/// JSON that may stand within a script element: no text of it ends the element or begins a comment.
std::string data_of(const DomainPage& page) {
  json training = json::array(), rows = json::array(), places = json::array();
  for (const DrawnMolecule& molecule : page.training) {
    training.push_back(molecule_json(molecule));
  }
  for (const DomainRow& row : page.rows) {
    rows.push_back(row_json(row, !page.training_places.empty()));
  }
  for (const auto& place : page.training_places) {
    places.push_back({number(place[0]), number(place[1])});
  }
  const std::string text = json_line(json{{"training", training},
                                          {"rows", rows},
                                          {"places", places},
                                          {"words", {page.words.score, page.words.reference}}});
  std::string safe;
  safe.reserve(text.size());
  for (const char character : text) {
    if (character == '<') {
      safe += "\\u003c";
    } else {
      safe += character;
    }
  }
  return safe;
}

std::string counts_markup(const DomainPage& page) {
  std::string markup = "<div class=\"counts\">";
  for (std::size_t i = 0; i < kVerdicts.size(); ++i) {
    markup += fmt::format(R"(<div class="v{}"><strong>{}</strong><span>{}</span></div>)", i, page.counts[i],
                          kVerdicts[i]);
  }
  return markup + "</div>\n";
}

std::vector<double> shares(const std::vector<float>& scores, double low, double high, std::size_t bins) {
  std::vector<double> result(bins);
  for (const float score : scores) {
    const double place = (score - low) / (high - low) * static_cast<double>(bins);
    result[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins) - 1))] +=
        1.0 / static_cast<double>(scores.size());
  }
  return result;
}

void add_histogram(page::Page& page, const DomainPage& content) {
  const PageWords& words = content.words;
  std::vector<float> sorted = content.held_out;
  sorted.insert(sorted.end(), content.second_held_out.begin(), content.second_held_out.end());
  sorted.insert(sorted.end(), content.candidate_scores.begin(), content.candidate_scores.end());
  if (sorted.empty()) {
    return;
  }
  std::sort(sorted.begin(), sorted.end());
  page::Histogram histogram{"Candidates and held-out molecules: " + words.axis,
                            words.axis,
                            sorted.front(),
                            sorted[sorted.size() - 1 - sorted.size() / 100],
                            {}};
  if (!(histogram.high > histogram.low)) {
    histogram.high = histogram.low + std::max(1e-6, std::abs(histogram.low) * 0.1);
  }
  constexpr std::size_t kBins = 30;
  std::vector<page::LegendEntry> legend;
  const auto add_group = [&](std::size_t style, const std::string& name, const std::vector<float>& scores) {
    if (!scores.empty()) {
      histogram.groups.push_back({style, shares(scores, histogram.low, histogram.high, kBins)});
      legend.push_back({style, name});
    }
  };
  add_group(2, words.held_out, content.held_out);
  add_group(0, words.second_held_out, content.second_held_out);
  add_group(1, "candidates", content.candidate_scores);
  page.figures({{words.title, draw(histogram), words.caption, legend}});
}

void add_curve(page::Page& page, const DomainPage& content) {
  const domain::LabelCurve& curve = content.curve;
  if (curve.empty()) {
    return;
  }
  page.section("How errors grow with the distance");
  page.paragraph(
      fmt::format("A plain predictor (ridge regression on the features) of {} was measured on {} training "
                  "molecules with their "
                  "scaffolds held out. Its mean absolute error is {:.3g}: {:.3g} for the nearest half of "
                  "them, {:.3g} for the "
                  "farthest tenth ({:.1f} times as much). Your own model is another one; expect the same "
                  "direction, not the same "
                  "numbers.",
                  content.value_name, curve.molecules, curve.error, curve.inner_half, curve.outer_tenth,
                  curve.outer_tenth / curve.inner_half));
  page::Series series{1, {}, {}, true};
  std::vector<double> xs, ys = {0};
  page::Table table{"Mean absolute error by distance, with 95 % intervals",
                    {{"Distance", false}, {"Molecules", true}, {"Error", true}, {"Interval", true}},
                    {}};
  for (const auto& bin : curve.bins) {
    const double middle = (bin.low + bin.high) / 2;
    series.points.push_back({middle, bin.error});
    series.error_bars.push_back({bin.error_low, bin.error_high});
    xs.push_back(middle);
    ys.push_back(bin.error_high);
    table.rows.push_back({{fmt::format("{:.3g} to {:.3g}", bin.low, bin.high)},
                          {std::to_string(bin.molecules)},
                          {fmt::format("{:.3g}", bin.error)},
                          {fmt::format("{:.3g} to {:.3g}", bin.error_low, bin.error_high)}});
  }
  const page::Chart chart{"Error by distance",
                          page::round_axis("distance to the training molecules", xs),
                          page::round_axis("mean absolute error", ys),
                          {series},
                          {}};
  page.figures({{"", draw(chart), "Each point is a tenth of the molecules; bars are 95 % intervals.", {}}});
  page.table(table);
}

void add_candidates(page::Page& page, const DomainPage& content) {
  page.section("Candidates");
  page.paragraph(content.words.candidates);
  if (content.rows_left_out > 0) {
    page.paragraph(fmt::format("The list holds the first {} of {} candidates; the CSV file has all of them.",
                               content.rows.size(), content.rows.size() + content.rows_left_out));
  }
  std::string markup = "<div class=\"controls\">";
  for (std::size_t i = 0; i < kVerdicts.size(); ++i) {
    markup += fmt::format(R"(<label><input type="checkbox" value="{}" checked>{}</label>)", i, kVerdicts[i]);
  }
  markup += fmt::format(
      R"(<input type="search" id="search" aria-label="Name or SMILES" placeholder="Name or SMILES"><span id="shown"></span></div>
<div id="rows"{} tabindex="0" aria-label="Candidates"><div id="space"></div></div>
<noscript><p>The list and the map are drawn by a script within this file, which the browser does not run here. The CSV file beside it has all of the results.</p></noscript>
)",
      content.training.empty() ? " class=\"alone\"" : "");
  page.markup(markup);
}

void add_map(page::Page& page, const DomainPage& content) {
  page.section("Map");
  page.paragraph(fmt::format(
      "The two directions in which the training features vary most ({:.0f} % and {:.0f} % of their "
      "variance). Training molecules are grey. Far apart on the map is far apart; close together on the map "
      "need not be close.",
      100 * content.map_shares[0], 100 * content.map_shares[1]));
  page.markup(
      "<div class=\"map\"><canvas id=\"map\" role=\"img\" aria-label=\"Map of candidates over training "
      "molecules\"></canvas><div id=\"hint\"></div></div>\n");
}

}  // namespace

std::string domain_page(const DomainPage& content) {
  page::Page page(content.title, content.subtitle);
  page.add_style(domain_page_style());
  page.section("Result");
  page.markup(counts_markup(content));
  page.paragraph(content.meaning);
  add_histogram(page, content);
  if (!content.training_places.empty()) {
    add_map(page, content);
  }
  add_candidates(page, content);
  add_curve(page, content);
  page.section("How this was made");
  page.fields("Settings", content.settings);
  page.markup("<script type=\"application/json\" id=\"data\">" + data_of(content) + "</script>\n<script>" +
              std::string(domain_page_script()) + "</script>\n");
  return page.to_string();
}

}  // namespace headroom::report
