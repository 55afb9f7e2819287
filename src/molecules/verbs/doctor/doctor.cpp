// `molgauge doctor`: checks the installation, hardware and weights, and explains how to fix problems.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/core/threads/worker_group.h"
#include "base/memory/measure/machine_memory.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/precision.h"
#include "base/options/verb.h"
#include "base/runtime/folders.h"
#include "base/runtime/processor.h"
#include "base/runtime/torch_backend.h"
#include "molecules/encoders/registry.h"
#include "molecules/verbs/train/nci_molecules.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

using State = Finding::State;

constexpr std::uint64_t kLittleMemory = std::uint64_t{2} << 30;

Finding processor() {
  const runtime::Processor here = runtime::this_processor();
  Finding finding{"processor", fmt::format("{}, {} usable", here.model, available_processors()), "",
                  State::good};
  finding.text += fmt::format(", instruction sets: {}", fmt::join(here.instruction_sets, " "));
  return finding;
}

/// Returns a text with the speed of each precision relative to fp32 for the layers of an encoder.
std::string speeds(const encoders::EncoderDescriptor& encoder) {
  const auto& times = ops::precision_times(encoder.layer_width);
  std::vector<std::string> factors;
  factors.reserve(times.size());
  for (const auto& [precision, seconds] : times) {
    factors.push_back(fmt::format("{} {:.1f}", ops::to_string(precision), times.front().seconds / seconds));
  }
  return fmt::format("{}: {} times as fast as fp32, --precision fast is {}", encoder.name,
                     fmt::join(factors, ", "), ops::to_string(ops::fastest_precision(encoder.layer_width)));
}

Finding kernels() {
  using namespace ops::cpu;
  std::vector<const char*> others;
  for (const InstructionLevel level : compiled_levels()) {
    if (is_supported(level) && level != chosen_level()) {
      others.push_back(to_string(level));
    }
  }
  Finding finding{"kernels", to_string(chosen_level()), "", State::good};
  if (!others.empty()) {
    finding.text += fmt::format(" (MOLGAUGE_CPU_LEVEL can choose {})", fmt::join(others, ", "));
  }
  for (const encoders::EncoderDescriptor& encoder : encoders::all_encoders()) {
    if (encoder.precisions.size() > 1) {
      finding.text += ". " + speeds(encoder);
    }
  }
  return finding;
}

Finding memory_size() {
  const auto memory = memory::machine_memory();
  Finding finding{
      "memory", fmt::format("{} available of {}", format_bytes(memory.available), format_bytes(memory.total)),
      "", State::good};
  if (memory.available < kLittleMemory) {
    finding.state = State::note;
    finding.advice = "encoding needs about 2 GiB. Close other programs";
  }
  return finding;
}

std::vector<Finding> torch_findings() {
  const runtime::FoundTorchBackend found = runtime::find_torch_backend();
  if (found.part != nullptr) {
    return found.part->diagnose();
  }
  return {{"LibTorch", "cannot be used: " + found.problem,
           "training and GPUs need it. Encoding and scoring on the CPU do not", State::note}};
}

Finding encoder_finding(const encoders::EncoderDescriptor& encoder,
                        const std::vector<WeightsInfo>& installed) {
  Finding finding{"encoder", fmt::format("{}: {}, {} numbers", encoder.name, encoder.summary, encoder.width),
                  "", State::good};
  if (encoder.needs_conformer) {
    finding.text += ". It uses the 3D coordinates of an .sdf, or generates conformers";
  }
  if (!encoder.weights) {
    return finding;
  }
  finding.advice = "molgauge weights install " + encoder.name;
  if (encoder.weights->package.empty()) {
    finding.advice = encoder.weights->where + ". Then: " + finding.advice + " --from FILE";
  }
  const auto weights = std::find_if(installed.begin(), installed.end(), [&](const WeightsInfo& candidate) {
    return candidate.encoder == encoder.name;
  });
  if (weights == installed.end()) {
    finding.state = State::note;
    finding.text += ". Its weights are not installed";
  } else if (!weights->problem.empty()) {
    finding.state = State::missing;
    finding.text += fmt::format(", weights in {}: {}", weights->folder, weights->problem);
  } else {
    finding.text += fmt::format(", weights {} in {}", weights->version, weights->folder);
    finding.advice.clear();
  }
  return finding;
}

std::vector<Finding> encoder_findings() {
  const std::vector<WeightsInfo> installed = list_weights({});
  std::vector<Finding> findings;
  for (const encoders::EncoderDescriptor& encoder : encoders::all_encoders()) {
    findings.push_back(encoder_finding(encoder, installed));
  }
  return findings;
}

Finding feature_store() {
  const auto folder = runtime::store_folder("");
  if (!std::filesystem::exists(folder)) {
    return {"feature store", folder.string() + " (does not exist yet, the first encode creates it)", "",
            State::good};
  }
  if (access(folder.c_str(), W_OK) != 0) {
    return {"feature store", folder.string() + " cannot be written",
            "set MOLGAUGE_HOME, or pass --store, to a folder that you can write to", State::missing};
  }
  try {
    const StoreInfo info = store_info({});
    std::size_t rows = 0;
    for (const auto& database : info.databases) {
      rows += database.rows;
    }
    return {"feature store",
            fmt::format("{}: {}, {}", info.folder, counted(rows, "row"), format_bytes(info.bytes_on_disk)),
            "", State::good};
  } catch (const Error& failure) {
    return {"feature store", failure.what(), "move the folder away. Features are computed again",
            State::missing};
  }
}

Finding nci_molecules() {
  const auto file = nci_molecules_file();
  if (std::filesystem::exists(file)) {
    return {"demo molecules", file.string(), "", State::good};
  }
  return {"demo molecules", file.string() + " is not there", "apt-get install rdkit-data", State::note};
}

std::vector<Finding> diagnose(const DiagnoseRequest& /*request*/) {
  std::vector<Finding> findings = {processor(), kernels(), memory_size()};
  for (auto& finding : torch_findings()) {
    findings.push_back(std::move(finding));
  }
  for (auto& finding : encoder_findings()) {
    findings.push_back(std::move(finding));
  }
  findings.push_back(feature_store());
  findings.push_back(nci_molecules());
  return findings;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

template <>
verbs::Verb verbs::verb<DiagnoseRequest>() {
  return without_options<DiagnoseRequest>("doctor", without_caches<DiagnoseRequest>(diagnose));
}

}  // namespace molgauge
