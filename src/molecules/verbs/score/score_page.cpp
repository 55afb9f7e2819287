#include "molecules/verbs/score/score_page.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"
#include "base/core/threads/worker_group.h"
#include "molecules/judging/conformal.h"
#include "molecules/verbs/domain/page_rows.h"

namespace molgauge::verbs {
namespace {

std::vector<float> sorted(std::vector<float> scores) {
  std::sort(scores.begin(), scores.end());
  return scores;
}

std::string folder_name(const std::string& run) {
  const std::filesystem::path path = std::filesystem::path(run).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

Verdict verdict_of(float score, double p_value, const OodVerdict& verdict) {
  if (std::isnan(score)) {
    return Verdict::unreadable;
  }
  if (static_cast<double>(score) <= *verdict.threshold()) {
    return Verdict::inside;
  }
  return verdict.is_asked_for() || p_value <= verdict.outside_level() ? Verdict::outside
                                                                      : Verdict::borderline;
}

std::string meaning_of_verdict(const OodVerdict& verdict) {
  if (verdict.is_asked_for()) {
    return fmt::format(
        "Outside: the score is above {:g}, the requested threshold. Inside: it is not above it.",
        *verdict.threshold());
  }
  return fmt::format(
      "Borderline: the score is above {:.6g}. About {:.2g} % of molecules like the training molecules score "
      "so "
      "high. Outside: at most {:.2g} % do (p <= {:.2g}). p-values compare a score with the scores of "
      "molecules "
      "that were held out of the training. A verdict does not depend on the other molecules of the list.",
      *verdict.threshold(), 100 * verdict.level(), 100 * verdict.outside_level(), verdict.outside_level());
}

/// The terms that explain the numbers of facts_of().
std::vector<report::Term> fact_terms(std::size_t seeds) {
  if (seeds < 2) {
    return {};
  }
  return {
      {"deviation", fmt::format("Standard deviation of the scores of the {} seeds of the run. The score "
                                "is their mean.",
                                seeds)},
      {"disagreement", fmt::format("Number of seeds, of {}, with another verdict than most seeds.", seeds)}};
}

/// Returns the numbers of a molecule that the page shows in addition to its score. The probability of an
/// energy head is not included, because it has no effect on the verdict. It only measures how similar the
/// molecule is to the OOD molecules that the head was trained on.
std::vector<std::string> facts_of(const ScoredList::Text& text, std::size_t seeds) {
  if (seeds < 2 || std::isnan(text.deviation)) {
    return {};
  }
  const long against = std::lround(text.disagreement * static_cast<double>(seeds));
  return {fmt::format("{:.2g}", text.deviation),
          against == 0 ? "all seeds agree" : fmt::format("{} of {} seeds", against, seeds)};
}

report::PageWords words_of(const ScoredList& list, const OodVerdict& verdict) {
  const std::string p_meaning = fmt::format(
      "Probability that a molecule like the training molecules has at least this score. It comes "
      "from molecules that the run did not train on. {}",
      verdict.is_asked_for() ? "The requested threshold decides the verdict, not the p-value."
                             : "Small values mean an unfamiliar molecule.");
  return {.score = {list.score_name,
                    "Score that the run gives the molecule. Larger values mean a less familiar "
                    "molecule. The percentage compares it with held-out molecules."},
          .p_meaning = p_meaning,
          .q_meaning =
              "p-value corrected for the number of candidates (Benjamini and Hochberg). If you select "
              "all candidates up to a q-value of 0.1, on average at most 10 % of them are false alarms.",
          .p_scaffold_meaning = "",
          .neighbour_meaning = "",
          .percentile = "higher than {} of the held-out molecules in distribution",
          .title = list.score_name,
          .axis = list.score_name + ", larger is less familiar",
          .held_out = "held-out molecules, in distribution",
          .second_held_out = "held-out molecules, out of distribution",
          .caption =
              "Each curve shows the share of its group in each bin. Candidates to the right of the held-out "
              "molecules in distribution are unfamiliar to the run. The last bin also contains all larger "
              "scores.",
          .candidates =
              "The candidates with the largest scores come first. A run contains no structures of its "
              "training molecules, so this page shows neither the nearest training molecules nor unfamiliar "
              "substructures. To see them, use molgauge domain with the training file."};
}

}  // namespace

void require_page(const std::string& page, const std::string& run, const OodVerdict& verdict) {
  if (std::filesystem::path(page).extension() != ".html") {
    throw UsageError(page + ": the page is an .html file. Name it so");
  }
  if (!verdict.threshold()) {
    throw UsageError(run + ": " + verdict.origin() + ", without which the page has no verdicts");
  }
}

std::vector<domain::Judgement> judge_scores(const ScoredList& list, const HeldOutScores& held_out,
                                            const OodVerdict& verdict) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<domain::Judgement> judgements;
  if (held_out.id.empty()) {
    judgements.assign(list.scores.size(), {.p_value = kNone, .p_scaffold = kNone, .q_value = kNone});
  } else {
    std::vector<domain::ListedScore> scores;
    for (const float score : list.scores) {
      scores.push_back({.distance = score});
    }
    domain::Calibration calibration;
    calibration.left_out = sorted(held_out.id);
    judgements = domain::judge_list(scores, calibration,
                                    {.outside = verdict.outside_level(), .borderline = verdict.level()});
  }
  for (std::size_t i = 0; i < list.scores.size(); ++i) {
    judgements[i].verdict = verdict_of(list.scores[i], judgements[i].p_value, verdict);
  }
  return judgements;
}

report::DomainPage score_page(const ScoredList& list, const HeldOutScores& held_out,
                              const OodVerdict& verdict, const std::vector<domain::Judgement>& judgements,
                              const std::vector<std::size_t>& rows) {
  report::DomainPage page;
  page.title = "Candidates scored by " + folder_name(list.run);
  const std::size_t seeds = held_out.id_of_seeds.size();
  page.subtitle = fmt::format("{}, {}{}", counted(list.scores.size(), "candidate"), list.score_name,
                              seeds > 1 ? fmt::format(", mean of {} seeds", seeds) : "");
  if (const std::string warning = warning_of(held_out); !warning.empty()) {
    page.notices.push_back("Warning: " + warning + '.');
  }
  page.words = words_of(list, verdict);
  page.facts = fact_terms(seeds);
  page.meaning = meaning_of_verdict(verdict);
  page.counts = count_verdicts(judgements);
  for (const domain::Judgement& judgement : judgements) {
    page.decisions.add(page.rules.decide(judgement.verdict, nullptr), /*has_new_scaffold=*/false);
  }
  page.held_out = sorted(held_out.id);
  page.second_held_out = sorted(held_out.ood);
  for (const float score : list.scores) {
    if (std::isfinite(score)) {
      page.candidate_scores.push_back(score);
    }
  }
  page.rows_left_out = list.scores.size() - rows.size();
  for (const std::size_t row : rows) {
    const ScoredList::Text text = list.text(row);
    report::DomainRow& own = page.rows.emplace_back();
    own.molecule = {text.name, text.smiles, ""};
    own.position = row;
    own.verdict = static_cast<std::size_t>(judgements[row].verdict);
    own.advice = page.rules.decide(judgements[row].verdict, nullptr);
    own.p_value = judgements[row].p_value;
    own.q_value = judgements[row].q_value;
    own.score = list.scores[row];
    own.percentile = page.held_out.empty() ? std::numeric_limits<double>::quiet_NaN()
                                           : domain::percentile(page.held_out, list.scores[row]);
    if (std::isnan(list.scores[row])) {
      own.reason = text.problem.empty() ? "has no score" : text.problem;
    } else if (std::isinf(list.scores[row])) {
      own.words.emplace_back("is a training molecule");
    } else {
      own.facts = facts_of(text, seeds);
    }
  }
  page.settings = {{"Run", list.run},
                   {"Score", list.score_name},
                   {"Candidates", std::to_string(list.scores.size())},
                   {"Threshold", verdict.origin()},
                   {"Held-out molecules in distribution", std::to_string(held_out.id.size())},
                   {"Held-out molecules out of distribution", std::to_string(held_out.ood.size())},
                   {"Molgauge", MOLGAUGE_VERSION}};
  return page;
}

void draw_from_smiles(report::DomainPage& page, std::size_t threads) {
  parallel_for(page.rows.size(), threads, [&](std::size_t i) {
    report::DomainRow& row = page.rows[i];
    if (row.verdict != static_cast<std::size_t>(Verdict::unreadable)) {
      row.molecule.layout = report::encoded_layout(row.molecule.smiles, /*is_mol_block=*/false);
    }
  });
}

}  // namespace molgauge::verbs
