#include <fmt/format.h>

#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "page/text_table.h"
#include "verb.h"

namespace headroom::cli {
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
  std::string text = "no weights are installed; get them with:";
  for (const EncoderInfo& encoder : load_engine().encoders()) {
    text += encoder.needs_weights ? fmt::format("\n  headroom weights install {}{}", encoder.name,
                                                encoder.needs_weights_file ? " --from FILE" : "")
                                  : "";
  }
  return text;
}

void list(const std::string& folder) {
  const auto installed = load_engine().list_weights(folder);
  if (installed.empty()) {
    print_result("{}\n", nothing_installed());
  } else {
    print_weights(installed);
  }
}

void verify(const std::string& folder) {
  const auto installed = load_engine().list_weights(folder);
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
        fmt::format("{} of {} installed weights are damaged; install them again", broken, installed.size()));
  }
}

}  // namespace

void add_weights(CLI::App& app, Verbs& verbs) {
  auto* const weights = app.add_subcommand("weights", "Install and check the weights of pretrained encoders");
  weights->require_subcommand(1);

  auto request = std::make_shared<InstallWeightsRequest>();
  auto* const install =
      weights->add_subcommand("install", "Fetch, check and convert an encoder's published weights");
  install->add_option("ENCODER", request->encoder, "Encoder, such as minimol; headroom doctor lists them")
      ->required();
  install->add_option("--from", request->from,
                      "Wheel, .pth, .pt, .safetensors or folder to take them from [the published wheel, by "
                      "pip, where there is one]");
  install->add_option(
      "--variant", request->variant,
      "For unimol: no_h (weights for heavy atoms) or all_h (for all) [what the file's name says]");
  install->add_option("--weights", request->weights, "Folder to install into [$HEADROOM_HOME/weights]");
  verbs.push_back({install, [request] { print_weights({load_engine().install_weights(*request)}); }});

  auto random = std::make_shared<InitWeightsRequest>();
  auto* const init = weights->add_subcommand(
      "init", "Make random weights for tests and measurements; results of them need --random-weights");
  init->add_option("ENCODER", random->encoder, "Encoder: unimol")->required();
  init->add_option("--seed", random->seed, "Seed of the random numbers")->required();
  init->add_option("--variant", random->variant, "no_h (heavy atoms) or all_h (all atoms)")
      ->capture_default_str();
  init->add_option("--layers", random->layers, "Layers [15]");
  init->add_option("--width", random->width, "Numbers of a token [512]");
  init->add_option("--hidden", random->hidden, "Numbers between the two products of a layer [2048]");
  init->add_option("--heads", random->heads, "Heads of the attention [64]");
  init->add_option("--kernels", random->kernels, "Gaussian kernels of a distance [128]");
  init->add_option("--weights", random->weights, "Folder to install into [$HEADROOM_HOME/weights]");
  verbs.push_back({init, [random] { print_weights({load_engine().init_weights(*random)}); }});

  auto folder = std::make_shared<std::string>();
  auto* const list_command = weights->add_subcommand("list", "Show what is installed");
  auto* const verify_command =
      weights->add_subcommand("verify", "Check the installed files against their SHA-256");
  for (auto* const command : {list_command, verify_command}) {
    add_weights_option(*command, *folder);
  }
  verbs.push_back({list_command, [folder] { list(*folder); }});
  verbs.push_back({verify_command, [folder] { verify(*folder); }});
}

}  // namespace headroom::cli
