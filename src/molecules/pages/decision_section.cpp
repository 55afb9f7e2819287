#include "molecules/pages/decision_section.h"

#include <array>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "base/core/text/counted.h"
#include "base/page/markup.h"

namespace molgauge::report {
namespace {

using domain::DecisionCounts;
using domain::DecisionReason;
using domain::DecisionRules;

constexpr std::array kDecisions = {Decision::use, Decision::check, Decision::drop};

std::string advice_of(Decision decision, const DecisionRules& rules) {
  switch (decision) {
    case Decision::use:
      if (!rules.has_predictions()) {
        return "Inside. The model may be used for these molecules.";
      }
      return rules.are_classes()
                 ? "The conditions are met, and only the more probable class is possible."
                 : fmt::format("The conditions are met, and the expected error is at most {:.3g}.",
                               rules.largest_error());
    case Decision::check:
      return rules.has_predictions() ? "Look at the reason before you use these predictions."
                                     : "Look at these molecules before you use the model.";
    case Decision::drop:
      return rules.has_predictions() ? "Do not use these predictions."
                                     : "Do not use the model for these molecules.";
  }
  return {};
}

std::string reasons_markup(Decision decision, const DomainPage& content) {
  std::string items;
  for (std::size_t i = 0; i < domain::kDecisionReasons; ++i) {
    const auto reason = static_cast<DecisionReason>(i);
    const std::size_t count = content.decisions.of(reason);
    if (count > 0 && domain::decision_of(reason) == decision) {
      items += fmt::format(
          R"(<li><button type="button" data-reason="{}" aria-pressed="false">{}: {}</button></li>)", i,
          page::escape_markup(content.rules.words(reason)), count);
    }
  }
  return items.empty() ? "" : "<ul>" + items + "</ul>";
}

std::string groups_markup(const DomainPage& content) {
  const auto& counts = content.decisions.decisions;
  const double all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  std::string markup = "<div class=\"decisions\">";
  for (const Decision decision : kDecisions) {
    const std::size_t count = content.decisions.of(decision);
    markup += fmt::format(
        R"(<div class="d{0}"><button type="button" data-decision="{0}" aria-pressed="false"><strong>{1}</strong><span>{2}</span><span>{3:.1f} %</span></button><p>{4}</p>{5}</div>)",
        static_cast<std::size_t>(decision), count, to_string(decision),
        all == 0 ? 0 : 100 * static_cast<double>(count) / all,
        page::escape_markup(advice_of(decision, content.rules)), reasons_markup(decision, content));
  }
  return markup + "</div>\n";
}

std::string assumptions(const DomainPage& content) {
  const DecisionRules& rules = content.rules;
  if (!rules.has_predictions()) {
    return "The verdicts decide: use inside, check borderline, drop outside and unreadable. A verdict "
           "measures "
           "the distance to the training set. It does not measure the error of your model. For expected "
           "errors, "
           "add predictions and measured values (--calibration).";
  }
  std::string text = fmt::format(
      "The conditions of an interval or a set are: the candidate is not outside, and the calibration "
      "molecules "
      "are enough. The coverage of {:g} % and the expected errors then hold on average, if the candidates "
      "are "
      "like the calibration molecules. Molgauge cannot check this assumption for each candidate.",
      100 * rules.coverage());
  if (!rules.are_classes()) {
    text += fmt::format(
        " The limit {:.3g} for the expected error is 71 % of the error of a constant prediction ({:.3g}), "
        "the "
        "mean of the measured values. Errors of this size leave about half of the variance unexplained.",
        rules.largest_error(), rules.constant_error());
  }
  if (const std::size_t count = content.decisions.new_scaffolds_to_use; count > 0) {
    text += fmt::format(
        " Of the predictions to use, {} for molecules with a new scaffold. Their errors come from "
        "calibration "
        "molecules with new scaffolds.",
        count == 1 ? "1 is" : fmt::format("{} are", count));
  }
  return text;
}

}  // namespace

void add_decision_section(const DomainPage& content, page::Page& page) {
  page.section(content.rules.has_predictions() ? "Which predictions to use" : "Where to use the model");
  page.markup(groups_markup(content));
  page.markup(
      "<p class=\"for-screen soft\">Click a group or a reason to list its candidates. A candidate can have "
      "several "
      "reasons.</p>\n");
  page.paragraph(assumptions(content));
}

}  // namespace molgauge::report
