#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/core/error.h"
#include "base/core/session/standard_streams.h"
#include "base/page/text_table.h"

namespace molgauge::cli {
namespace {

void print_weights(const std::vector<WeightsInfo>& installed) {
  page::TextTable table({"encoder", "version", "tensors", "numbers", "SHA-256", "source", "folder"});
  for (const auto& weights : installed) {
    table.add_row({weights.encoder, weights.version, std::to_string(weights.tensors),
                   std::to_string(weights.numbers), weights.sha256.substr(0, 16), weights.source,
                   weights.folder});
  }
  print_result("{}", table.to_string());
}

std::string nothing_installed() {
  std::string text = "No weights are installed. Install them with:";
  for (const EncoderInfo& encoder : load_engine().run(ListEncodersRequest{})) {
    text += encoder.needs_weights ? fmt::format("\n  molgauge weights install {}{}", encoder.name,
                                                encoder.needs_weights_file ? " --from FILE" : "")
                                  : "";
  }
  return text;
}

void run(const WeightsRequest& request) {
  const auto installed = load_engine().run(request);
  if (installed.empty()) {
    print_result("{}\n", nothing_installed());
  } else {
    print_weights(installed);
  }
}

void verify_weights(const WeightsRequest& request) {
  const auto installed = load_engine().run(request);
  std::size_t broken = 0;
  for (const auto& weights : installed) {
    print_result("{}: {}\n", weights.encoder, weights.problem.empty() ? "whole" : weights.problem);
    broken += weights.problem.empty() ? 0 : 1;
  }
  if (installed.empty()) {
    throw InputError(nothing_installed());
  }
  if (broken > 0) {
    throw InputError(
        fmt::format("{} of {} installed weights are damaged. Install them again", broken, installed.size()));
  }
}

void run(const InstallWeightsRequest& request) { print_weights({load_engine().run(request)}); }

void run(const InitWeightsRequest& request) { print_weights({load_engine().run(request)}); }

}  // namespace

template <>
std::vector<Command> commands<InstallWeightsRequest>() {
  return {{.name = "weights install",
           .summary = "Download, check and convert the published weights of an encoder",
           .add = runs<InstallWeightsRequest>(run)}};
}

template <>
std::vector<Command> commands<InitWeightsRequest>() {
  return {{.name = "weights init",
           .summary = "Create random weights for tests and benchmarks (use them with --random-weights)",
           .add = runs<InitWeightsRequest>(run)}};
}

template <>
std::vector<Command> commands<WeightsRequest>() {
  return {{.name = "weights list", .summary = "List the installed weights", .add = runs<WeightsRequest>(run)},
          {.name = "weights verify",
           .summary = "Check the SHA-256 of the installed files",
           .add = runs<WeightsRequest>(verify_weights)}};
}

}  // namespace molgauge::cli
