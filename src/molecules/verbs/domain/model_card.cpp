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

/// The name of a file and its checksum, if domain.json contains one.
std::string file_fact(const std::string& name, const ordered_json& file) {
  const std::string sum = file.contains("sha256") ? text_or(file.at("sha256"), "") : "";
  return fact(name, fmt::format("`{}`{}", text_or(file.at("file"), "standard input"),
                                sum.empty() ? "" : fmt::format(", SHA-256 `{}`", sum)));
}

/// The share of a group that was covered, with its 95 % interval.
std::string covered(const ordered_json& share) {
  return share.at("share").is_null() ? "no molecules"
                                     : fmt::format("{} ({} to {})", percent(share.at("share")),
                                                   percent(share.at("low")), percent(share.at("high")));
}

std::string domain_part(const ordered_json& domain) {
  const ordered_json& method = domain.at("method");
  const ordered_json& calibration = domain.at("calibration");
  const double outside = domain.at("levels").at("outside_p_value"),
               borderline = domain.at("levels").at("borderline_p_value");
  std::string text = "\n## Domain of applicability (OECD principle 3)\n\n";
  text += fmt::format(
      "A molecule is compared with the training molecules by the distance `{}` (encoder `{}`). Both are in "
      "the form "
      "`{}`. Relatives among the training molecules are left out together. The p-value of a molecule is the "
      "share of "
      "left-out training molecules that are at least as far from the others.\n\n",
      method.at("name").get<std::string>(), method.at("encoder").get<std::string>(),
      method.at("standardize").get<std::string>());
  text += "| verdict | criterion |\n|---|---|\n";
  text += fmt::format(
      "| outside | p <= {:g} (distance from about {}), or an unusual size, log P, charge or element |\n",
      outside, number(domain.at("thresholds").at("distance_at_outside")));
  text += fmt::format("| borderline | p <= {:g} (distance from about {}) |\n| inside | all others |\n\n",
                      borderline, number(domain.at("thresholds").at("distance_at_borderline")));
  text += fact("False alarms",
               fmt::format("if a molecule comes from the same distribution as the training molecules, "
                           "about {:g} % are outside and {:g} % outside or borderline",
                           100 * outside, 100 * borderline));
  text +=
      fact("Left-out training molecules behind the p-values", calibration.at("left_out_molecules").dump());
  text += fact("Left-out molecules with new scaffolds",
               fmt::format("{} of {} scaffolds", calibration.at("left_out_scaffold_molecules").dump(),
                           calibration.at("left_out_scaffolds").dump()));
  text += fact("Smallest measured p-value", number(calibration.at("smallest_measured_p_value")));
  return text;
}

std::string performance_part(const ordered_json& predictions) {
  const ordered_json& check = predictions.at("model_check");
  const bool are_classes = predictions.at("kind") == "classification";
  const char* const error = are_classes ? "error_rate" : "mean_absolute_error";
  const std::string error_name = are_classes ? "Error rate" : "Mean absolute error";
  const auto share_or_number = [&](const ordered_json& value) {
    return are_classes ? percent(value) : number(value);
  };
  std::string text = "\n## Predictivity (OECD principle 4)\n\n";
  text += file_fact("Calibration molecules", predictions.at("calibration"));
  text += fact("Their number",
               fmt::format("{}, with {} scaffolds", predictions.at("calibration").at("molecules").dump(),
                           predictions.at("calibration").at("scaffolds").dump()));
  text += fact(error_name + " of the model", share_or_number(check.at("your_model").at(error)));
  if (check.at("simple_model").at(error).is_number()) {
    text += fact(fmt::format("{} of a simple model ({})", error_name,
                             text_or(check.at("simple_model").at("model"), "")),
                 share_or_number(check.at("simple_model").at(error)));
  }
  text += fact(error_name + (are_classes ? " of the more frequent class alone"
                                         : " of the mean as the only prediction"),
               share_or_number(check.at(are_classes ? "more_frequent_class" : "mean").at(error)));
  if (are_classes) {
    text += fact("AUROC of the model", number(check.at("your_model").at("auroc")));
  } else {
    text += fact("Correlation of predictions and measured values (Pearson)",
                 number(check.at("your_model").at("pearson_correlation")));
  }
  for (const ordered_json& warning : check.at("warnings")) {
    text += fact("Warning", warning.at("text"));
  }
  const ordered_json& validation = predictions.at("cross_validation");
  if (validation.contains("why_none")) {
    return text +
           fact("Coverage of the intervals", "not validated. " + text_or(validation.at("why_none"), ""));
  }
  text += fact(fmt::format("Target coverage of the {}", are_classes ? "sets of classes" : "intervals"),
               percent(predictions.at("coverage")));
  text += fact("Measured coverage, " + text_or(validation.at("scheme"), "cross-validation"),
               covered(validation.at("coverage")));
  text += fmt::format("\n| verdict | molecules | coverage (95 % interval) | {} |\n|---|---|---|---|\n",
                      are_classes ? "error rate" : "mean absolute error");
  for (const auto& [verdict, share] : validation.at("coverage_by_verdict").items()) {
    text += fmt::format("| {} | {} | {} | {} |\n", verdict, share.at("molecules").dump(), covered(share),
                        share.at("share").is_null() ? "" : share_or_number(share.at(error)));
  }
  return text;
}

}  // namespace

std::string model_card(const std::string& domain_json, const DomainRequest& request) {
  const auto domain = parse_json<ordered_json>(domain_json);
  const ordered_json& training = domain.at("training");
  const ordered_json& method = domain.at("method");
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
    text += fact(
        "Predictions",
        fmt::format("column `{}`", text_or(domain.at("predictions").at("columns").at("prediction"), "")));
    text += fact("Endpoint", fmt::format("column `{}`",
                                         text_or(domain.at("predictions").at("columns").at("measured"), "")));
  }
  text += file_fact("Training molecules", training);
  text += fact("Number of training molecules",
               fmt::format("{} (merged repetitions: {}, unreadable: {})", training.at("molecules").dump(),
                           training.at("duplicates_left_out").dump(), training.at("unreadable").dump()));
  text += fact("Encoder", fmt::format("`{}`, identity `{}`", method.at("encoder").get<std::string>(),
                                      method.at("encoder_identity").get<std::string>()));
  text += fact("Software", fmt::format("Molgauge {}, {}", domain.at("molgauge_version").get<std::string>(),
                                       method.at("identity_scheme").get<std::string>()));
  text += domain_part(domain);
  if (has_predictions) {
    text += performance_part(domain.at("predictions"));
  }
  text += "\n## Assumptions and limits\n\n";
  text +=
      "- A verdict says how unusual a molecule is for the training set. It does not say whether a prediction "
      "is "
      "right.\n";
  if (has_predictions) {
    for (const ordered_json& condition : domain.at("predictions").at("conditions")) {
      text += fmt::format("- The coverage assumes that {}.\n", condition.get<std::string>());
    }
  }
  const ordered_json& candidates = domain.at("candidates");
  text += "\n## Molecules that were judged\n\n";
  text += file_fact("Candidates", candidates);
  text += fact("Verdicts", fmt::format("{} inside, {} borderline, {} outside, {} unreadable",
                                       candidates.at("inside").dump(), candidates.at("borderline").dump(),
                                       candidates.at("outside").dump(), candidates.at("unreadable").dump()));
  for (const ordered_json& notice : domain.at("notices")) {
    text += fmt::format("- {}\n", notice.get<std::string>());
  }
  return text;
}

}  // namespace molgauge::verbs
