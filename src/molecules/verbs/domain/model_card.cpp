#include "molecules/verbs/domain/model_card.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/json/json_reader.h"

namespace molgauge::verbs {
namespace {

using nlohmann::ordered_json;

std::string number(const ordered_json& value) {
  return value.is_number() ? fmt::format("{:.3g}", value.get<double>()) : "not known";
}

std::string percent(const ordered_json& value) {
  return value.is_number() ? fmt::format("{:.1f} %", 100 * value.get<double>()) : "not known";
}

std::string text_or(const ordered_json& value, const std::string& otherwise) {
  return value.is_string() && value != "" ? value.get<std::string>() : otherwise;
}

/// One line of a list of facts.
std::string fact(const std::string& name, const std::string& value) {
  return fmt::format("- {}: {}\n", name, value);
}

std::string file_fact(const std::string& name, const ordered_json& file) {
  const std::string sum = text_or(file["sha256"], "");
  return fact(name, fmt::format("`{}`{}", text_or(file["file"], "standard input"),
                                sum.empty() ? "" : fmt::format(", SHA-256 `{}`", sum)));
}

/// The share of a group that was covered, with its 95 % interval.
std::string covered(const ordered_json& share) {
  return share["share"].is_null() ? "no molecules"
                                  : fmt::format("{} ({} to {})", percent(share["share"]),
                                                percent(share["low"]), percent(share["high"]));
}

std::string domain_part(const ordered_json& domain) {
  const ordered_json& method = domain["method"];
  const ordered_json& calibration = domain["calibration"];
  const double outside = domain["levels"]["outside_p_value"],
               borderline = domain["levels"]["borderline_p_value"];
  std::string text = "\n## Domain of applicability (OECD principle 3)\n\n";
  text += fmt::format(
      "A molecule is compared with the training molecules by the distance `{}`, in the features of the "
      "encoder "
      "`{}`. Molecules are compared in the form `{}`. Its p-value is the share of training molecules, left "
      "out of "
      "the comparison one group of relatives at a time, that are at least as far from the others.\n\n",
      method["name"].get<std::string>(), method["encoder"].get<std::string>(),
      method["standardize"].get<std::string>());
  text += "| verdict | criterion |\n|---|---|\n";
  text += fmt::format(
      "| outside | p <= {:g} (distance from about {}), or an unusual size, log P, charge or element |\n",
      outside, number(domain["thresholds"]["distance_at_outside"]));
  text += fmt::format("| borderline | p <= {:g} (distance from about {}) |\n| inside | all others |\n\n",
                      borderline, number(domain["thresholds"]["distance_at_borderline"]));
  text += fact("False alarms",
               fmt::format("if a molecule comes from the same distribution as the training molecules, "
                           "about {:g} % are outside and {:g} % outside or borderline",
                           100 * outside, 100 * borderline));
  text += fact("Left-out training molecules behind the p-values", calibration["left_out_molecules"].dump());
  text += fact("Left-out molecules with new scaffolds",
               fmt::format("{} of {} scaffolds", calibration["left_out_scaffold_molecules"].dump(),
                           calibration["left_out_scaffolds"].dump()));
  text += fact("Smallest measured p-value", number(calibration["smallest_measured_p_value"]));
  return text;
}

std::string performance_part(const ordered_json& predictions) {
  const ordered_json& check = predictions["model_check"];
  const bool are_classes = predictions["kind"] == "classification";
  const char* const error = are_classes ? "error_rate" : "mean_absolute_error";
  const std::string error_name = are_classes ? "Error rate" : "Mean absolute error";
  const auto share_or_number = [&](const ordered_json& value) {
    return are_classes ? percent(value) : number(value);
  };
  std::string text = "\n## Predictivity (OECD principle 4)\n\n";
  text += file_fact("Calibration molecules, which the model was not trained on", predictions["calibration"]);
  text += fact("Their number",
               fmt::format("{}, with {} scaffolds", predictions["calibration"]["molecules"].dump(),
                           predictions["calibration"]["scaffolds"].dump()));
  text += fact(error_name + " of the model", share_or_number(check["your_model"][error]));
  if (check["simple_model"][error].is_number()) {
    text += fact(
        fmt::format("{} of a simple model ({})", error_name, text_or(check["simple_model"]["model"], "")),
        share_or_number(check["simple_model"][error]));
  }
  text += fact(error_name + (are_classes ? " of the more frequent class alone"
                                         : " of the mean as the only prediction"),
               share_or_number(check[are_classes ? "more_frequent_class" : "mean"][error]));
  if (are_classes) {
    text += fact("AUROC of the model", number(check["your_model"]["auroc"]));
  } else {
    text += fact("Correlation of predictions and measured values (Pearson)",
                 number(check["your_model"]["pearson_correlation"]));
  }
  for (const ordered_json& warning : check["warnings"]) {
    text += fact("Warning", warning["text"]);
  }
  const ordered_json& validation = predictions["cross_validation"];
  if (validation.contains("why_none")) {
    return text + fact("Coverage of the intervals", "not validated. " + text_or(validation["why_none"], ""));
  }
  text += fact(fmt::format("Target coverage of the {}", are_classes ? "sets of classes" : "intervals"),
               percent(predictions["coverage"]));
  text += fact("Measured coverage, " + text_or(validation["scheme"], "cross-validation"),
               covered(validation["coverage"]));
  text += fmt::format("\n| verdict | molecules | coverage (95 % interval) | {} |\n|---|---|---|---|\n",
                      are_classes ? "error rate" : "mean absolute error");
  for (const auto& [verdict, share] : validation["coverage_by_verdict"].items()) {
    text += fmt::format("| {} | {} | {} | {} |\n", verdict, share["molecules"].dump(), covered(share),
                        share["share"].is_null() ? "" : share_or_number(share[error]));
  }
  return text;
}

}  // namespace

std::string model_card(const std::string& domain_json, const DomainRequest& request) {
  const auto domain = parse_json<ordered_json>(domain_json);
  const ordered_json& training = domain["training"];
  const ordered_json& method = domain["method"];
  const bool has_predictions = domain.contains("predictions");
  std::string text =
      fmt::format("# Model card: {}\n\n", request.model.empty() ? request.training : request.model);
  if (!request.model.empty()) {
    text += fact("Model", fmt::format("`{}`", request.model));
  } else if (method.contains("predicted_form")) {
    text += fact("Model", fmt::format("the model in the saved domain `{}`", request.training));
  } else if (!has_predictions) {
    text += fact("Model", "none. The card describes the domain alone");
  }
  if (has_predictions) {
    text += fact("Predictions",
                 fmt::format("column `{}`", text_or(domain["predictions"]["columns"]["prediction"], "")));
    text += fact("Endpoint",
                 fmt::format("column `{}`", text_or(domain["predictions"]["columns"]["measured"], "")));
  }
  text += file_fact("Training molecules", training);
  text += fact("Number of training molecules",
               fmt::format("{} (merged repetitions: {}, unreadable: {})", training["molecules"].dump(),
                           training["duplicates_left_out"].dump(), training["unreadable"].dump()));
  text += fact("Encoder", fmt::format("`{}`, identity `{}`", method["encoder"].get<std::string>(),
                                      method["encoder_identity"].get<std::string>()));
  text += fact("Software", fmt::format("Molgauge {}, {}", domain["molgauge_version"].get<std::string>(),
                                       method["identity_scheme"].get<std::string>()));
  text += domain_part(domain);
  if (has_predictions) {
    text += performance_part(domain["predictions"]);
  }
  text += "\n## Assumptions and limits\n\n";
  text +=
      "- A verdict says how unusual a molecule is for the training set. It does not say whether a prediction "
      "is "
      "right.\n";
  if (has_predictions) {
    for (const ordered_json& condition : domain["predictions"]["conditions"]) {
      text += fmt::format("- The coverage assumes that {}.\n", condition.get<std::string>());
    }
  }
  const ordered_json& candidates = domain["candidates"];
  text += "\n## Molecules that were judged\n\n";
  text += file_fact("Candidates", candidates);
  text += fact("Verdicts", fmt::format("{} inside, {} borderline, {} outside, {} unreadable",
                                       candidates["inside"].dump(), candidates["borderline"].dump(),
                                       candidates["outside"].dump(), candidates["unreadable"].dump()));
  for (const ordered_json& notice : domain["notices"]) {
    text += fmt::format("- {}\n", notice.get<std::string>());
  }
  return text;
}

}  // namespace molgauge::verbs
