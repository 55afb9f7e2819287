#include "session/scoring/score_page.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/error.h"
#include "core/worker_group.h"
#include "domain/conformal.h"
#include "session/domain/page_rows.h"

namespace headroom::session {
namespace {

std::vector<float> sorted(std::vector<float> scores) {
  std::sort(scores.begin(), scores.end());
  return scores;
}

std::string folder_name(const std::string& run) {
  const std::filesystem::path path = std::filesystem::path(run).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

domain::Verdict verdict_of(float score, double p_value, const OodVerdict& verdict) {
  if (std::isnan(score)) {
    return domain::Verdict::unreadable;
  }
  if (static_cast<double>(score) <= *verdict.threshold()) {
    return domain::Verdict::inside;
  }
  return verdict.is_asked_for() || p_value <= verdict.outside_level() ? domain::Verdict::outside
                                                                      : domain::Verdict::borderline;
}

std::string meaning_of(const OodVerdict& verdict) {
  if (verdict.is_asked_for()) {
    return fmt::format(
        "Outside: the score is above {:g}, the threshold that was asked for. Inside: it is not.",
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

/// Explains which parts the page lacks, and why.
std::string not_shown(const ScoredList& list) {
  if (list.score_name == kDomainScore) {
    return "The training molecules nearest to a candidate, and what is foreign about it, are not shown: the "
           "file "
           "with the scores does not hold them. headroom score --page shows them.";
  }
  return "The training molecules nearest to a candidate, and what is foreign about it, are not shown: a run "
         "keeps "
         "no structures of the molecules that it was trained on. headroom domain shows them, from the "
         "training "
         "file.";
}

/// The run's further findings on a molecule that has a score.
std::vector<std::string> findings(const ScoredList::Text& text, std::size_t seeds) {
  std::vector<std::string> words;
  if (!std::isnan(text.deviation)) {
    const long against = std::lround(text.disagreement * static_cast<double>(seeds));
    words.push_back(fmt::format("mean of {} seeds, which spread by {:.2g}{}", seeds, text.deviation,
                                against > 0
                                    ? fmt::format("; {} of them disagree{}", against, against == 1 ? "s" : "")
                                    : "; all of them agree"));
  }
  if (!std::isnan(text.ood_probability)) {
    words.push_back(fmt::format("out of distribution with a probability of {:.2g}", text.ood_probability));
  }
  return words;
}

report::PageWords words_of(const ScoredList& list) {
  return {.score = list.score_name,
          .title = list.score_name,
          .axis = list.score_name + "; larger is farther out",
          .held_out = "held-out molecules, in distribution",
          .second_held_out = "held-out molecules, out of distribution",
          .reference = "held-out molecules",
          .caption =
              "Shares of each group. Where candidates lie to the right of the held-out molecules in "
              "distribution, the run calls them unlike what it was trained on. The last bin holds what "
              "lies beyond, too.",
          .candidates =
              "Farthest first. p says how often a molecule like the run's own scores as high; the "
              "corrected one allows for the length of the list. " +
              not_shown(list)};
}

}  // namespace

void require_page(const std::string& page, const std::string& run, const OodVerdict& verdict) {
  if (std::filesystem::path(page).extension() != ".html") {
    throw UsageError(page + ": the page is an .html file; name it so");
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
    judgements = domain::judge_list(list.scores, {.random = sorted(held_out.id), .scaffold = {}},
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
  page.words = words_of(list);
  page.meaning = meaning_of(verdict);
  page.counts = count_verdicts(judgements);
  page.held_out = sorted(held_out.id);
  page.second_held_out = sorted(held_out.ood);
  for (const float score : list.scores) {
    if (std::isfinite(score)) {
      page.candidate_scores.push_back(score);
    }
  }
  page.rows_left_out = list.scores.size() - rows.size();
  for (const std::size_t row : rows) {
    ScoredList::Text text = list.text(row);
    std::vector<std::string> more = findings(text, seeds);
    report::DomainRow& own = page.rows.emplace_back();
    own.molecule = {std::move(text.name), std::move(text.smiles), ""};
    own.verdict = static_cast<std::size_t>(judgements[row].verdict);
    own.p_value = judgements[row].p_value;
    own.adjusted = judgements[row].q_value;
    own.score = list.scores[row];
    own.percentile = page.held_out.empty() ? std::numeric_limits<double>::quiet_NaN()
                                           : domain::percentile(page.held_out, list.scores[row]);
    if (std::isnan(list.scores[row])) {
      own.words.push_back(text.problem.empty() ? "has no score" : std::move(text.problem));
    } else if (std::isinf(list.scores[row])) {
      own.words.emplace_back("is a training molecule");
    } else {
      own.words = std::move(more);
    }
  }
  page.settings = {{"Run", list.run},
                   {"Score", list.score_name},
                   {"Candidates", std::to_string(list.scores.size())},
                   {"Threshold", verdict.origin()},
                   {"Held-out molecules in distribution", std::to_string(held_out.id.size())},
                   {"Held-out molecules out of distribution", std::to_string(held_out.ood.size())},
                   {"Headroom", HEADROOM_VERSION}};
  return page;
}

void draw_from_smiles(report::DomainPage& page, std::size_t threads) {
  parallel_for(page.rows.size(), threads, [&](std::size_t i) {
    report::DomainRow& row = page.rows[i];
    if (row.verdict != static_cast<std::size_t>(domain::Verdict::unreadable)) {
      row.molecule.layout = report::encoded_layout(row.molecule.smiles, /*is_mol_block=*/false);
    }
  });
}

}  // namespace headroom::session
