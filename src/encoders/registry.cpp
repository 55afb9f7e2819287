#include "encoders/registry.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "core/error.h"
#include "core/nearest_name.h"
#include "encoders/ecfp/ecfp_encoder.h"
#include "encoders/minimol/installed_weights.h"
#include "encoders/minimol/minimol_encoder.h"
#include "ops/precision.h"

namespace headroom::encoders {
namespace {

std::unique_ptr<Encoder> make_minimol(const EncoderSettings& settings) {
  if (settings.device != "auto" && settings.device != "cpu") {
    throw UsageError(
        fmt::format("--device {}: no such device; there are auto, cpu, cuda and cuda:N", settings.device));
  }
  const ops::Precision precision = ops::parse_precision(settings.precision);
  if (precision == ops::Precision::bf16 && !ops::kernels_multiply_bf16()) {
    spdlog::info(
        "--precision bf16: this CPU multiplies the rounded numbers in fp32, which is no faster than fp32");
  }
  minimol::InstalledWeights installed = minimol::read_installed_weights(settings.weights);
  return std::make_unique<minimol::CpuMinimolEncoder>(std::move(installed.tensors),
                                                      std::move(installed.sha256), precision);
}

std::unique_ptr<Encoder> make_ecfp(const EncoderSettings& settings) {
  if (settings.device != "auto" && settings.device != "cpu") {
    throw UsageError(fmt::format("--device {}: the encoder ecfp runs on the CPU alone; leave --device out",
                                 settings.device));
  }
  if (settings.precision != "fp32") {
    throw UsageError(fmt::format("--precision {}: the encoder ecfp counts, it has no precision; leave it out",
                                 settings.precision));
  }
  if (!settings.weights.empty()) {
    throw UsageError("the encoder ecfp has no weights; leave the weights folder out");
  }
  return std::make_unique<ecfp::EcfpEncoder>();
}

struct Entry {
  const char* name;
  bool runs_on_gpu;
  std::unique_ptr<Encoder> (*make)(const EncoderSettings& settings);
};

constexpr Entry kEncoders[] = {{"minimol", true, make_minimol}, {"ecfp", false, make_ecfp}};

}  // namespace

std::vector<std::string> encoder_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEncoders) {
    names.emplace_back(entry.name);
  }
  return names;
}

void require_encoder_name(const std::string& name) {
  const auto names = encoder_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw UsageError(fmt::format("there is no encoder \"{}\"; there are: {}{}", name, fmt::join(names, ", "),
                                 did_you_mean(name, names)));
  }
}

bool runs_on_gpu(const std::string& name) {
  return std::any_of(std::begin(kEncoders), std::end(kEncoders),
                     [&](const Entry& entry) { return entry.runs_on_gpu && name == entry.name; });
}

std::unique_ptr<Encoder> make_encoder(const std::string& name, const EncoderSettings& settings) {
  require_encoder_name(name);
  const Entry* const entry = std::find_if(std::begin(kEncoders), std::end(kEncoders),
                                          [&](const Entry& known) { return name == known.name; });
  return entry->make(settings);
}

}  // namespace headroom::encoders
