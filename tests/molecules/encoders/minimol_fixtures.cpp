#include "minimol_fixtures.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/io/bytes/zip.h"
#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/npz.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/encoders/minimol/parameters.h"
#include "support/fixtures.h"

namespace molgauge::test {

using encoders::minimol::Inputs;

namespace {

/// The formula in section 9 of the MiniMol README. `k` is the position of the tensor in the list of
/// parameters, and `i` the index of the number in the tensor.
double formula(std::int64_t i, std::int64_t k) {
  const double v = std::sin(12.9898 * static_cast<double>(i) + 78.233 * static_cast<double>(k)) * 43758.5453;
  return 2 * (v - std::floor(v)) - 1;
}

io::TensorData formula_tensor(const std::string& name, const std::vector<std::int64_t>& shape,
                              std::int64_t k) {
  std::vector<float> numbers(static_cast<std::size_t>(shape.size() == 2 ? shape[0] * shape[1] : shape[0]));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double u = formula(static_cast<std::int64_t>(i), k);
    const double v = shape.size() == 2         ? u / std::sqrt(static_cast<double>(shape[1]))
                     : name.ends_with(".bias") ? 0.05 * u
                                               : 1 + 0.1 * u;
    numbers[i] = static_cast<float>(v);
  }
  return io::TensorData::from_float32(shape, numbers.data());
}

/// Numbers that differ within an array, and between arrays with different `k`.
std::vector<float> different_numbers(std::size_t count, std::int64_t k) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<float>(formula(static_cast<std::int64_t>(i), k));
  }
  return numbers;
}

std::vector<float> rows(const std::vector<float>& all, std::size_t first, std::size_t last,
                        std::size_t width) {
  const auto begin = all.begin();
  return {begin + static_cast<std::ptrdiff_t>(first * width),
          begin + static_cast<std::ptrdiff_t>(last * width)};
}

std::vector<std::int64_t> integers(const io::TensorData& data) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(data.element_count()));
  std::memcpy(numbers.data(), data.bytes.data(), data.bytes.size());
  return numbers;
}

/// Splits a batch of the fixture into its molecules.
void append_molecules(const io::TensorMap& file, int batch, std::vector<Inputs>& molecules) {
  const auto array = [&](const char* name) -> const io::TensorData& {
    return file.at(fmt::format("{}_{}", batch, name));
  };
  const std::vector<std::int64_t> molecule_of = integers(array("batch"));
  const std::vector<std::int64_t> edge_index = integers(array("edge_index"));
  const std::size_t edge_count = edge_index.size() / 2;
  const auto feat = array("feat").to_float32(), edge_feat = array("edge_feat").to_float32();
  const auto eigvec = array("laplacian_eigvec").to_float32(), eigval = array("laplacian_eigval").to_float32();
  const auto walk = array("rw_return_probs").to_float32();

  for (std::size_t first = 0, last = 0; first < molecule_of.size(); first = last) {
    while (last < molecule_of.size() && molecule_of[last] == molecule_of[first]) {
      ++last;
    }
    Inputs molecule;
    molecule.atoms = last - first;
    molecule.feat = rows(feat, first, last, encoders::minimol::kAtomFeatures);
    molecule.laplacian_eigvec = rows(eigvec, first, last, encoders::minimol::kEigenpairs);
    molecule.laplacian_eigval = rows(eigval, first, last, encoders::minimol::kEigenpairs);
    molecule.rw_return_probs = rows(walk, first, last, encoders::minimol::kWalkSteps);
    for (std::size_t edge = 0; edge < edge_count; ++edge) {
      const auto source = static_cast<std::size_t>(edge_index[edge]);
      if (source >= first && source < last) {
        molecule.edge_source.push_back(edge_index[edge] - static_cast<std::int64_t>(first));
        molecule.edge_target.push_back(edge_index[edge_count + edge] - static_cast<std::int64_t>(first));
        const auto features = rows(edge_feat, edge, edge + 1, encoders::minimol::kBondFeatures);
        molecule.edge_feat.insert(molecule.edge_feat.end(), features.begin(), features.end());
      }
    }
    molecules.push_back(std::move(molecule));
  }
}

/// The checkpoint in the wheel of the package, or in the unpacked wheel.
io::TensorMap read_wheel(const std::filesystem::path& wheel) {
  const io::ZipArchive archive(wheel);
  for (const std::string& name : archive.names()) {
    if (name.ends_with("state_dict.pth")) {
      return io::read_checkpoint(io::random_access_in_memory(name, archive.read(name)));
    }
  }
  throw std::runtime_error(wheel.string() + " holds no state_dict.pth");
}

io::TensorMap read_weights(const std::filesystem::path& named) {
  if (std::filesystem::is_directory(named)) {
    const bool inner = std::filesystem::exists(named / "minimol");
    return io::read_safetensors((inner ? named / "minimol" : named) / "minimol.safetensors").tensors;
  }
  if (named.extension() == ".whl") {
    return read_wheel(named);
  }
  return named.extension() == ".pth" ? io::read_checkpoint(named) : io::read_safetensors(named).tensors;
}

}  // namespace

io::TensorMap formula_weights() {
  io::TensorMap tensors;
  std::int64_t k = 0;
  for (const auto& [name, shape] : encoders::minimol::parameter_shapes()) {
    tensors.emplace(name, formula_tensor(name, shape, k++));
  }
  return tensors;
}

encoders::minimol::Network<ops::Operators> plain_network(const io::TensorMap& weights,
                                                         ops::Precision precision) {
  return encoders::minimol::Network<ops::Operators>(
      [&](const std::string& name, const std::vector<std::int64_t>&) {
        return encoders::minimol::to_floats(weights.at(name));
      },
      precision);
}

Inputs chain_molecule(std::size_t atoms) {
  using namespace encoders::minimol;
  const auto seed = static_cast<std::int64_t>(atoms);
  Inputs molecule;
  molecule.atoms = atoms;
  molecule.feat = different_numbers(atoms * kAtomFeatures, seed + 1);
  molecule.laplacian_eigvec = different_numbers(atoms * kEigenpairs, seed + 2);
  molecule.laplacian_eigval = different_numbers(atoms * kEigenpairs, seed + 3);
  molecule.rw_return_probs = different_numbers(atoms * kWalkSteps, seed + 4);
  for (std::size_t bond = 0; bond + 1 < atoms; ++bond) {
    const auto begin = static_cast<std::int64_t>(bond);
    const std::vector<float> features = different_numbers(kBondFeatures, begin % 3);
    for (const auto& [source, target] : {std::pair(begin, begin + 1), std::pair(begin + 1, begin)}) {
      molecule.edge_source.push_back(source);
      molecule.edge_target.push_back(target);
      molecule.edge_feat.insert(molecule.edge_feat.end(), features.begin(), features.end());
    }
  }
  return molecule;
}

std::vector<Inputs> reference_inputs() {
  const io::TensorMap file = io::read_npz(reference_data("minimol/reference_inputs.npz"));
  std::vector<Inputs> molecules;
  for (int batch = 0; file.contains(fmt::format("{}_feat", batch)); ++batch) {
    append_molecules(file, batch, molecules);
  }
  return molecules;
}

std::optional<io::TensorMap> published_weights() {
  const char* const named = std::getenv("MOLGAUGE_TEST_WEIGHTS");
  if (named == nullptr || *named == '\0') {
    return std::nullopt;
  }
  return encoders::minimol::select_tensors(read_weights(named), named);
}

std::vector<const Inputs*> pointers(const std::vector<Inputs>& molecules) {
  std::vector<const Inputs*> result;
  for (const Inputs& molecule : molecules) {
    result.push_back(&molecule);
  }
  return result;
}

at::Tensor to_float64(const io::TensorData& data) {
  if (data.type == io::DataType::float64) {
    std::vector<double> numbers(static_cast<std::size_t>(data.element_count()));
    std::memcpy(numbers.data(), data.bytes.data(), data.bytes.size());
    return at::from_blob(numbers.data(), data.shape, at::kDouble).clone();
  }
  std::vector<float> numbers = data.to_float32();
  return at::from_blob(numbers.data(), data.shape, at::kFloat).to(at::kDouble);
}

double largest_difference(const at::Tensor& left, const at::Tensor& right) {
  if (left.sizes() != right.sizes()) {
    return std::numeric_limits<double>::infinity();
  }
  if (left.numel() == 0) {
    return 0;
  }
  const double difference = (left.to(at::kDouble) - right.to(at::kDouble)).abs().max().item<double>();
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

}  // namespace molgauge::test
