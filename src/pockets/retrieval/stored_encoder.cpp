#include "pockets/retrieval/stored_encoder.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/format_version.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/core/session/progress.h"
#include "base/core/threads/worker_group.h"
#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/safetensors.h"
#include "base/memory/measure/tensor_memory.h"
#include "pockets/array_operators.h"
#include "pockets/encoder_shape.h"
#include "pockets/training/batches.h"
#include "pockets/training/request_options.h"
#include "pockets/training/run_files.h"

namespace molgauge::pocket {
namespace {

std::filesystem::path checkpoint_in(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    return path;
  }
  for (const char* name : {"best_model.safetensors", "best_model.pt"}) {
    if (std::filesystem::exists(path / name)) {
      return path / name;
    }
  }
  throw InputError(path.string() +
                   ": contains no best_model.safetensors. Train an encoder with molgauge pocket train");
}

io::TensorMap read_tensors(const std::filesystem::path& file) {
  if (file.extension() == ".safetensors") {
    require_intact(file, "Train again with --restart");
    io::SafetensorsFile content = io::read_safetensors(file);
    require_format(content.metadata, kEncoderFormat, file);
    return std::move(content.tensors);
  }
  return io::read_checkpoint(file);
}

}  // namespace

StoredEncoder read_encoder(const std::filesystem::path& path, bool reference_compatible) {
  const std::filesystem::path file = checkpoint_in(path), config_file = file.parent_path() / kConfigFile;
  const bool is_python = file.extension() != ".safetensors";
  const io::TensorMap tensors = read_tensors(file);
  StoredEncoder stored{.file = file.string(), .shape = {}, .encode = {}, .normalization = {}};
  if (std::filesystem::exists(config_file)) {
    EncoderConfig config = read_config(config_file);
    stored.shape = encoder_shape(config.request.encoder, config.output);
    stored.normalization = config.normalization;
  } else {
    stored.shape = shape_of(tensors, stored.file);
    log_info("{}: has no {} next to it. The shape is derived from its parameters: {}, {} layers", stored.file,
             kConfigFile, stored.shape.hidden.to_string(), stored.shape.layers);
  }
  if (reference_compatible) {
    stored.shape.channel_norm = ops::ChannelNorm::variance;
  } else if (is_python && stored.shape.layer_norm) {
    log_warning(
        "{}: was trained with a layer norm whose rows change if a pocket is rotated. To get the same rows as "
        "in its training, add --reference-compatible",
        stored.file);
  }
  const auto encoder = std::make_shared<const Encoder<ArrayOperators>>(
      stored.shape, [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        return parameter_of(tensors, name, shape, stored.file);
      });
  stored.encode = [encoder](const Batch& batch) { return encoder->forward(as_arrays(batch)); };
  return stored;
}

ParameterReader parameters_of(const StoredEncoder& encoder) {
  return [tensors = std::make_shared<const io::TensorMap>(read_tensors(encoder.file)), file = encoder.file](
             const std::string& name, const std::vector<std::int64_t>& shape) {
    return parameter_of(*tensors, name, shape, file);
  };
}

namespace {

ops::Floats encode_one(const StoredEncoder& encoder, const GraphSet& graphs, std::size_t graph) {
  const FeatureNormalization& normalization =
      encoder.normalization ? *encoder.normalization : graphs.normalization();
  const std::string& name = graphs.graphs()[graph].name;
  ops::Floats row = encoder.encode(arrange(graphs.load(graph, normalization), name));
  const auto numbers = row.numbers();
  if (!std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); })) {
    throw InputError(fmt::format("{}: its row is not finite. Its atoms may overlap", name));
  }
  return row;
}

}  // namespace

ops::Floats encode_pockets(const StoredEncoder& encoder, const GraphSet& graphs,
                           const std::vector<std::size_t>& chosen, std::size_t threads, bool quiet) {
  ops::Floats rows{static_cast<std::int64_t>(chosen.size()), encoder.shape.output};
  Progress progress("embed", "pocket", chosen.size(), quiet);
  parallel_for(chosen.size(), threads, [&](std::size_t i) {
    if (cancellation_requested()) {
      throw Interrupted();
    }
    const ops::Floats row = encode_one(encoder, graphs, chosen[i]);
    std::copy_n(row.data(), row.width(), rows.data() + static_cast<std::int64_t>(i) * row.width());
    progress.advance(1);
  });
  return rows;
}

std::uint64_t bytes_of_encoding(const StoredEncoder& encoder, const GraphSet& graphs,
                                const std::vector<std::size_t>& chosen) {
  const auto cost = [&](std::size_t graph) { return cost_of(graphs.graphs()[graph].counts, encoder.shape); };
  const auto largest = std::max_element(chosen.begin(), chosen.end(),
                                        [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
  memory::AllocationMeter& meter = memory::tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  meter.reset_peak();
  encode_one(encoder, graphs, *largest);
  return meter.peak_bytes() - before;
}

}  // namespace molgauge::pocket
