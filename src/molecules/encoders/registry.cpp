#include "molecules/encoders/registry.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "molecules/encoders/ecfp/descriptor.h"
#include "molecules/encoders/minimol/descriptor.h"
#include "molecules/encoders/placement.h"
#include "molecules/encoders/unimol/descriptor.h"

namespace molgauge::encoders {
namespace {

std::vector<EncoderDescriptor>& registry() {
  static std::vector<EncoderDescriptor> known = {minimol::descriptor(), unimol::descriptor(),
                                                 ecfp::descriptor()};
  return known;
}

void require_cpu(const EncoderDescriptor& encoder, const std::string& device) {
  if (device == "auto" || device == "cpu") {
    return;
  }
  if (encoder.runs_on_gpu) {
    throw UsageError(
        fmt::format("--device {}: no such device. Available: auto, cpu, cuda and cuda:N", device));
  }
  throw UsageError(fmt::format("--device {}: the encoder {} runs only on the CPU. Leave --device out", device,
                               encoder.name));
}

ops::Precision require_precision(const EncoderDescriptor& encoder, const std::string& text) {
  if (encoder.precisions.empty() && text != "fp32") {
    throw UsageError(
        fmt::format("--precision {}: has no effect on the encoder {}. Leave it out", text, encoder.name));
  }
  const ops::Precision precision = ops::parse_precision(text);
  const auto& known = encoder.precisions;
  if (!known.empty() && std::find(known.begin(), known.end(), precision) == known.end()) {
    throw UsageError(fmt::format("--precision {}: the encoder {} does not support it", text, encoder.name));
  }
  return precision;
}

}  // namespace

const std::vector<EncoderDescriptor>& all_encoders() { return registry(); }

const EncoderDescriptor* find_encoder(const std::string& name) {
  const auto& known = registry();
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const EncoderDescriptor& encoder) { return encoder.name == name; });
  return found == known.end() ? nullptr : &*found;
}

void add_encoder(EncoderDescriptor descriptor) {
  if (find_encoder(descriptor.name) != nullptr) {
    throw UsageError(fmt::format("the encoder \"{}\" already exists", descriptor.name));
  }
  registry().push_back(std::move(descriptor));
}

const EncoderDescriptor& require_encoder(const std::string& name) {
  if (const EncoderDescriptor* const found = find_encoder(name)) {
    return *found;
  }
  std::vector<std::string> names;
  for (const EncoderDescriptor& encoder : registry()) {
    names.push_back(encoder.name);
  }
  throw UsageError(fmt::format("no encoder \"{}\". Available: {}{}", name, fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

bool runs_on_gpu(const std::string& name) {
  const EncoderDescriptor* const found = find_encoder(name);
  return found != nullptr && found->runs_on_gpu;
}

void require_device(const std::string& name, const std::string& device) {
  if (const EncoderDescriptor& encoder = require_encoder(name); !encoder.runs_on_gpu) {
    require_cpu(encoder, device);
  }
}

std::unique_ptr<Encoder> make_encoder(const std::string& name, const EncoderSettings& settings) {
  const EncoderDescriptor& encoder = require_encoder(name);
  require_cpu(encoder, settings.device);
  const ops::Precision precision = require_precision(encoder, settings.precision);
  if (!encoder.weights && !settings.weights.empty()) {
    throw UsageError(fmt::format("the encoder {} has no weights. Leave the weights folder out", name));
  }
  if (!encoder.can_be_tuned && !settings.tuned.empty()) {
    throw UsageError(fmt::format("the encoder {} has no layers that can be trained", name));
  }
  if (const char* const given = given_option(settings.placement);
      given != nullptr && !encoder.needs_conformer) {
    throw UsageError(
        fmt::format("{}: the encoder {} does not use 3D coordinates. Leave it out", given, name));
  }
  if (!encoder.has_fine_features && settings.fine.any()) {
    throw UsageError(
        fmt::format("{}: the encoder {} has no features of atoms, only one row per molecule. Leave it out, "
                    "or use --encoder unimol",
                    settings.fine.atoms ? "--atom-features" : "--pair-features", name));
  }
  return encoder.make(settings, precision);
}

}  // namespace molgauge::encoders
