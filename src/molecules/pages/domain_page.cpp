#include "molecules/pages/domain_page.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "base/page/markup.h"
#include "base/page/page.h"
#include "molecules/pages/decision_section.h"
#include "molecules/pages/error_curve_section.h"
#include "molecules/pages/prediction_section.h"

namespace molgauge::report {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 4> kVerdicts = {"inside", "borderline", "outside", "unreadable"};

/// Rounds to seven significant digits, so a small p-value does not become zero.
json number(double value) {
  if (!std::isfinite(value)) {
    return nullptr;
  }
  const std::string text = fmt::format("{:.7g}", value);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

/// The columns of row_json() in order. The script of the page reads them by these names.
constexpr std::array kColumns = {
    "name",     "smiles",  "verdict", "p",     "q",      "score",        "percentile", "nearest",
    "atoms",    "words",   "layout",  "x",     "y",      "facts",        "pNew",       "position",
    "decision", "reasons", "reason",  "doubt", "orders", "contributions"};

/// The layout, the part of each atom, and for each task the change by each part. Null without a drawing.
json contributions_json(const DrawnContributions& drawing) {
  if (drawing.parts.empty()) {
    return nullptr;
  }
  json changes = json::array();
  for (const std::vector<float>& of_task : drawing.changes) {
    json& of_parts = changes.emplace_back(json::array());
    for (const float change : of_task) {
      of_parts.push_back(number(std::stod(fmt::format("{:.3g}", change))));
    }
  }
  return {drawing.layout, drawing.parts, changes};
}

json row_json(const DomainRow& row, bool has_map) {
  json nearest = json::array();
  for (const DomainRow::Nearest& own : row.nearest) {
    nearest.push_back({own.molecule, number(own.tanimoto), number(own.distance)});
  }
  json reasons = json::array(), orders = json::array();
  for (const domain::DecisionReason reason : row.advice.reasons) {
    reasons.push_back(static_cast<std::size_t>(reason));
  }
  for (const double order : row.orders) {
    orders.push_back(number(order));
  }
  const bool placed = has_map && row.verdict < 3;
  json cells = {row.molecule.name,
                row.molecule.smiles,
                row.verdict,
                number(row.p_value),
                number(row.q_value),
                number(row.score),
                number(row.percentile),
                nearest,
                row.foreign_atoms,
                row.words,
                row.molecule.layout,
                placed ? number(row.place[0]) : json(nullptr),
                placed ? number(row.place[1]) : json(nullptr),
                row.facts,
                number(row.p_new_scaffold),
                row.position,
                static_cast<std::size_t>(row.advice.decision),
                reasons,
                row.reason,
                row.doubt,
                orders,
                contributions_json(row.contributions)};
  return cells;
}

struct NamedTerm {
  std::string id;  ///< name in the script of the page
  Term term;
};

/// Returns the terms for the numbers of a candidate and of its nearest training molecules. DomainPage::facts
/// contains further terms.
std::vector<NamedTerm> terms_of(const DomainPage& page) {
  const PageWords& words = page.words;
  std::vector<NamedTerm> terms = {{"p", {"p-value", words.p_meaning}}};
  if (!words.p_scaffold_meaning.empty()) {
    terms.push_back({"pNew", {"p-value among new scaffolds", words.p_scaffold_meaning}});
  }
  terms.push_back({"q", {"q-value", words.q_meaning}});
  terms.push_back({"score", words.score});
  if (!page.contributed_tasks.empty()) {
    terms.push_back(
        {"contribution",
         {"contribution of a part",
          "The prediction minus the prediction in which the model does not pool the atoms of this part "
          "(substructure mask explanation). Parts lie between the bonds that BRICS cuts. Blue parts raise "
          "the "
          "prediction, pink parts lower it. Contributions explain the model, not the property, and do not "
          "add "
          "up to the prediction."}});
  }
  if (page.training.empty()) {
    return terms;
  }
  if (!page.value_name.empty()) {
    terms.push_back(
        {"value",
         {page.value_name,
          fmt::format("Measured value of the training molecule, from the column {}.", page.value_name)}});
  }
  if (std::any_of(page.training.begin(), page.training.end(),
                  [](const TrainingMolecule& own) { return std::isfinite(own.prediction); })) {
    terms.push_back(
        {"prediction", {"predicted", "Out-of-fold prediction of your model for the training molecule."}});
  }
  terms.push_back({"tanimoto",
                   {"Tanimoto",
                    "Similarity of the candidate and the training molecule. It compares the counts of their "
                    "circular atom environments. 0: nothing in common. 1: the same environments."}});
  terms.push_back({"neighbour", {"distance to a neighbour", words.neighbour_meaning}});
  return terms;
}

json term_json(const Term& term) { return {{"name", term.name}, {"meaning", term.meaning}}; }

/// JSON that can be part of a script element. No text in it can end the element or begin a comment.
std::string data_of(const DomainPage& page) {
  json training = json::array(), rows = json::array(), places = json::array(), terms = json::object(),
       facts = json::array(), reasons = json::array();
  for (const TrainingMolecule& molecule : page.training) {
    training.push_back({molecule.name, molecule.smiles, molecule.layout, number(molecule.value),
                        number(molecule.prediction)});
  }
  for (const DomainRow& row : page.rows) {
    rows.push_back(row_json(row, !page.training_places.empty()));
  }
  for (const MapPoint& point : page.training_places) {
    places.push_back({number(point.place[0]), number(point.place[1]), point.molecule});
  }
  for (const auto& [id, term] : terms_of(page)) {
    terms[id] = term_json(term);
  }
  if (terms.contains("neighbour")) {
    terms["neighbour"]["name"] = "distance";  // short, because there is little room below a neighbour
  }
  for (const Term& fact : page.facts) {
    facts.push_back(term_json(fact));
    facts.back()["shown"] = fact.is_shown;
  }
  for (std::size_t i = 0; i < domain::kDecisionReasons; ++i) {
    reasons.push_back(page.rules.words(static_cast<domain::DecisionReason>(i)));
  }
  const std::string text = json_line(json{{"columns", kColumns},
                                          {"contributed", page.contributed_tasks},
                                          {"facts", facts},
                                          {"orders", page.orders},
                                          {"places", places},
                                          {"reasons", reasons},
                                          {"rows", rows},
                                          {"terms", terms},
                                          {"training", training},
                                          {"words", {{"percentile", page.words.percentile}}}});
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
  const std::size_t all = std::accumulate(page.counts.begin(), page.counts.end(), std::size_t{0});
  std::string markup = "<div class=\"counts\">";
  for (std::size_t i = 0; i < kVerdicts.size(); ++i) {
    markup +=
        fmt::format(R"(<div class="v{}"><strong>{}</strong><span>{}</span><span>{:.1f} %</span></div>)", i,
                    page.counts[i], kVerdicts[i],
                    all == 0 ? 0 : 100 * static_cast<double>(page.counts[i]) / static_cast<double>(all));
  }
  return markup + "</div>\n";
}

void add_result(page::Page& page, const DomainPage& content) {
  page.section("Verdicts");
  page.markup(counts_markup(content));
  for (const std::string& notice : content.notices) {
    page.markup("<p class=\"notice\">" + page::escape_markup(notice) + "</p>\n");
  }
  page.paragraph("The numbers count candidates. " + content.meaning);
  if (content.counts[3] > 0) {
    page.paragraph(
        "Unreadable candidates are not valid molecules or cannot be encoded. The list gives the reason for "
        "each.");
  }
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
  page::Histogram histogram{"Candidates and the molecules that they are compared with: " + words.axis,
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

void add_terms(page::Page& page, const DomainPage& content) {
  std::vector<NamedTerm> terms = terms_of(content);
  for (const Term& fact : content.facts) {
    terms.push_back({"", fact});
  }
  std::string markup = "<details open><summary>How to read the numbers</summary><dl class=\"terms\">\n";
  for (const auto& [id, term] : terms) {
    markup += fmt::format("<dt>{}</dt><dd>{}</dd>\n", page::escape_markup(term.name),
                          page::escape_markup(term.meaning));
  }
  page.markup(markup + "</dl></details>\n");
}

void add_candidates(page::Page& page, const DomainPage& content) {
  page.section("Candidates");
  page.paragraph(content.words.candidates);
  if (content.rows_left_out > 0) {
    page.paragraph(fmt::format("The list shows the first {} of {} candidates. The CSV file contains all.",
                               content.rows.size(), content.rows.size() + content.rows_left_out));
  }
  add_terms(page, content);
  std::string markup = "<div class=\"controls\">";
  for (std::size_t i = 0; i < kVerdicts.size(); ++i) {
    markup += fmt::format(R"(<label><input type="checkbox" value="{}" checked>{}</label>)", i, kVerdicts[i]);
  }
  markup += R"(<label>Order <select id="order"></select></label><button type="button" id="turn"></button>)";
  constexpr const char* kButtons =
      R"(<button type="button" data-step="-1">Previous</button><button type="button" data-step="1">Next</button>)";
  markup += fmt::format(
      R"(<input type="search" id="search" aria-label="Search by name or SMILES" placeholder="Name or SMILES"></div>
<div class="pager"><span id="shown" aria-live="polite"></span>{0}</div>
<p id="printed"></p>
<div id="rows"{1}></div>
<div class="pager">{0}</div>
<noscript><p>A script in this file draws the list and the map. This browser does not run it. The CSV file contains all results.</p></noscript>
)",
      kButtons, content.training.empty() ? " class=\"alone\"" : "");
  page.markup(markup);
}

void add_map(page::Page& page, const DomainPage& content) {
  page.section("Map");
  page.paragraph(
      fmt::format("The map shows the two directions in which the features of the training molecules vary "
                  "most. They explain "
                  "{:.0f} % and {:.0f} % of the variance. Molecules that are far apart on the map are "
                  "dissimilar. Molecules "
                  "that are close together on the map can still be dissimilar.",
                  100 * content.map_shares[0], 100 * content.map_shares[1]));
  std::string legend = "<li><i class=\"training\"></i>training molecule</li>";
  for (std::size_t i = 0; i < 3; ++i) {
    legend += fmt::format(R"(<li><i class="v{}"></i>{}</li>)", i, kVerdicts[i]);
  }
  page.markup(fmt::format(
      R"(<div class="map"><ul class="legend">{}</ul>
<canvas id="map" tabindex="0" role="application" aria-label="Map of candidates and training molecules" aria-describedby="map-help hint"></canvas><div id="ring"></div><div id="hint" role="status" aria-live="polite"></div></div>
<p class="for-screen" id="map-help">Point at a dot to see the molecule. Click a candidate to find it in the list. With the keyboard, the arrow keys go from candidate to candidate and Enter finds it in the list.</p>
)",
      legend));
}

}  // namespace

std::string domain_page(const DomainPage& content) {
  page::Page page(content.title, content.subtitle);
  page.add_style(domain_page_style());
  if (content.predictions != nullptr) {
    add_model_check(*content.predictions, page);
  }
  add_decision_section(content, page);
  add_result(page, content);
  add_histogram(page, content);
  if (!content.training_places.empty()) {
    add_map(page, content);
  }
  add_candidates(page, content);
  if (content.predictions != nullptr) {
    add_prediction_section(*content.predictions, page);
  }
  add_error_curve(content.curve, content.value_name, page);
  page.section("How this was made");
  page.fields("Settings", content.settings);
  page.markup("<script type=\"application/json\" id=\"data\">" + data_of(content) + "</script>\n<script>" +
              std::string(domain_page_script()) + "</script>\n");
  return page.to_string();
}

}  // namespace molgauge::report
