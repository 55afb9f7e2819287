#include "pockets/graphs/graph_file.h"

#include <array>
#include <cstring>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/tensors/tensor_size.h"

namespace molgauge::pocket {
namespace {

/// The tensors of one kind of terms.
struct TermTensors {
  const char *index, *attributes;
  std::int64_t atoms, numbers;
  Terms Pockets::*terms;
};

constexpr std::array<TermTensors, 4> kTerms = {{
    {"edge_index", "edge_attr", 2, 2, &Pockets::bonds},
    {"triple_index", "triple_attr", 3, 2, &Pockets::angles},
    {"quadra_index", "quadra_attr", 4, 3, &Pockets::dihedrals},
    {"nonbonded_edge_index", "nonbonded_edge_attr", 2, 3, &Pockets::pairs},
}};

io::TensorData indices_of(const ops::Integers& atoms) {
  io::TensorData tensor{io::DataType::int32, atoms.shape(), {}};
  tensor.bytes.resize(static_cast<std::size_t>(atoms.count()) * sizeof(std::int32_t));
  for (std::int64_t i = 0; i < atoms.count(); ++i) {
    const auto atom = static_cast<std::int32_t>(atoms.data()[i]);
    std::memcpy(tensor.bytes.data() + static_cast<std::size_t>(i) * sizeof atom, &atom, sizeof atom);
  }
  return tensor;
}

const io::TensorData& tensor_named(const io::TensorMap& tensors, const std::string& name,
                                   const std::string& what) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) {
    throw InputError(fmt::format("{}: has no tensor '{}'", what, name));
  }
  return found->second;
}

void require_shape(const io::TensorData& tensor, const std::string& name, std::size_t axis,
                   std::int64_t extent, const std::string& what) {
  if (tensor.shape.size() != 2 || tensor.shape[axis] != extent) {
    throw InputError(
        fmt::format("{}: tensor '{}' has the shape {}, but {} must have {}", what, name,
                    io::format_shape(tensor.shape), axis == 0 ? "its columns" : "its rows",
                    axis == 0 ? fmt::format("{} atoms", extent) : fmt::format("{} numbers", extent)));
  }
}

ops::Floats floats_of(const io::TensorMap& tensors, const std::string& name, std::int64_t columns,
                      const std::string& what) {
  const io::TensorData& tensor = tensor_named(tensors, name, what);
  require_shape(tensor, name, 1, columns, what);
  const std::vector<float> numbers = tensor.to_float32();
  ops::Floats array(tensor.shape);
  std::copy(numbers.begin(), numbers.end(), array.data());
  return array;
}

template <typename Index>
void widen(const io::TensorData& tensor, ops::Integers& atoms) {
  for (std::int64_t i = 0; i < atoms.count(); ++i) {
    Index atom;
    std::memcpy(&atom, tensor.bytes.data() + static_cast<std::size_t>(i) * sizeof atom, sizeof atom);
    atoms.data()[i] = atom;
  }
}

ops::Integers integers_of(const io::TensorMap& tensors, const std::string& name, std::int64_t rows,
                          const std::string& what) {
  const io::TensorData& tensor = tensor_named(tensors, name, what);
  require_shape(tensor, name, 0, rows, what);
  ops::Integers atoms(tensor.shape);
  if (tensor.type == io::DataType::int32) {
    widen<std::int32_t>(tensor, atoms);
  } else if (tensor.type == io::DataType::int64) {
    widen<std::int64_t>(tensor, atoms);
  } else {
    throw InputError(fmt::format("{}: tensor '{}' is of the type {}. Atom numbers are int32 or int64", what,
                                 name, io::to_string(tensor.type)));
  }
  return atoms;
}

}  // namespace

io::TensorMap to_tensors(const Pockets& pocket) {
  io::TensorMap tensors;
  tensors["x"] = io::TensorData::from_float32(pocket.features.shape(), pocket.features.data());
  tensors["pos"] = io::TensorData::from_float32(pocket.positions.shape(), pocket.positions.data());
  for (const TermTensors& kind : kTerms) {
    const Terms& terms = pocket.*kind.terms;
    tensors[kind.index] = indices_of(terms.atoms);
    tensors[kind.attributes] =
        io::TensorData::from_float32(terms.attributes.shape(), terms.attributes.data());
  }
  return tensors;
}

Pockets from_tensors(const io::TensorMap& tensors, const std::string& what) {
  Pockets pocket;
  pocket.features = floats_of(tensors, "x", 3, what);
  pocket.positions = floats_of(tensors, "pos", 3, what);
  for (const TermTensors& kind : kTerms) {
    pocket.*kind.terms = {integers_of(tensors, kind.index, kind.atoms, what),
                          floats_of(tensors, kind.attributes, kind.numbers, what)};
  }
  pocket.sizes = {pocket.features.size(0)};
  require_sound(pocket, what);
  return pocket;
}

}  // namespace molgauge::pocket
