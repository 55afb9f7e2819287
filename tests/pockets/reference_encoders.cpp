#include "reference_encoders.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/io/bytes/zip.h"
#include "base/io/tensors/npy_header.h"
#include "base/io/tensors/npz.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

using nlohmann::json;

constexpr const char* kConfig = "config_json.npy";

/// The characters of an array with one text (UCS-4, little-endian). All of them are ASCII.
std::string text_in(const io::ZipArchive& archive, const std::string& entry) {
  const std::vector<std::byte> bytes = archive.read(entry);
  const auto file = io::random_access_in_memory(entry, bytes);
  std::string text;
  for (std::size_t at = io::read_npy_header(*file).data_offset; at < bytes.size(); at += 4) {
    if (const char character = static_cast<char>(bytes[at]); character != '\0') {
      text += character;
    }
  }
  return text;
}

Pooling pooling_of(const std::string& type) {
  return type == "mean"                  ? Pooling::mean
         : type == "sum"                 ? Pooling::sum
         : type == "max"                 ? Pooling::max
         : type == "multihead_attention" ? Pooling::heads
                                         : Pooling::attention;
}

pocket::EncoderShape shape_of(const json& config) {
  pocket::EncoderShape shape;
  shape.features = config.value("input_dim", shape.features);
  shape.feature_hidden = config.value("feature_hidden_dim", shape.feature_hidden);
  shape.hidden = ops::Irreps::parse(config.at("hidden_irreps").get<std::string>());
  shape.output = config.at("output_dim");
  shape.layers = config.at("num_layers");
  shape.radial_basis.functions = config.value("num_radial_basis", shape.radial_basis.functions);
  shape.radial_basis.cutoff = config.value("r_max", shape.radial_basis.cutoff);
  shape.radial_hidden = config.value("radial_hidden_dim", shape.radial_hidden);
  shape.pooling_hidden = config.value("pooling_hidden_dim", shape.pooling_hidden);
  if (config.contains("avg_num_neighbors") && !config["avg_num_neighbors"].is_null()) {
    shape.average_neighbours = config["avg_num_neighbors"].get<double>();
  }
  shape.gate = config.at("use_gate");
  shape.layer_norm = config.at("use_layer_norm");
  shape.multi_hop = config.at("use_multi_hop");
  shape.nonbonded = config.at("use_nonbonded");
  shape.pooling = pooling_of(config.at("pooling_type"));
  shape.heads = config.value("num_attention_heads", shape.heads);
  shape.channel_norm = ops::ChannelNorm::variance;
  if (config.contains("use_improved_layers")) {
    shape.third =
        pocket::V3Layers{.improved_layers = config["use_improved_layers"],
                         .enhanced_invariants = config.at("use_enhanced_invariants"),
                         .norm = config.at("norm_type") == "rms" ? StreamNorm::rms : StreamNorm::layer,
                         .angle_weight = config.at("initial_angle_weight"),
                         .dihedral_weight = config.at("initial_dihedral_weight"),
                         .nonbonded_weight = config.at("initial_nonbonded_weight")};
  }
  return shape;
}

/// Returns the file with the parameters of an encoder. Encoders of one family share a file: v2_small_mean
/// uses v2_small_state.pt. If several files match, the file with the longest name is used.
std::string state_of(const std::string& name) {
  std::string family = name;
  while (!std::filesystem::exists(reference_data("pocket/" + family + "_state.pt"))) {
    const std::size_t end = family.rfind('_');
    if (end == std::string::npos) {
      throw std::runtime_error("pocket/" + name + ".npz has no file of parameters");
    }
    family.resize(end);
  }
  return "pocket/" + family + "_state.pt";
}

}  // namespace

std::vector<ReferenceEncoder> reference_encoders() {
  std::vector<ReferenceEncoder> encoders;
  for (const auto& entry : std::filesystem::directory_iterator(reference_data("pocket"))) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".npz") {
      continue;
    }
    const io::ZipArchive archive(entry.path());
    if (!archive.contains(kConfig)) {
      continue;
    }
    ReferenceEncoder encoder;
    encoder.name = name;
    encoder.config = json::parse(text_in(archive, kConfig));
    encoder.shape = shape_of(encoder.config);
    encoder.state = state_of(name);
    encoder.arrays = io::read_npz(entry.path());
    encoder.batch = encoder.arrays.contains("in/x") ? "pocket/" + name + ".npz" : "pocket/batch_small.npz";
    encoders.push_back(std::move(encoder));
  }
  std::ranges::sort(encoders, {}, &ReferenceEncoder::name);
  return encoders;
}

ReferenceEncoder reference_encoder(const std::string& name) {
  for (ReferenceEncoder& encoder : reference_encoders()) {
    if (encoder.name == name) {
      return std::move(encoder);
    }
  }
  throw std::out_of_range("there is no reference encoder " + name);
}

}  // namespace molgauge::test
