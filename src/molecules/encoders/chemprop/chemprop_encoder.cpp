#include "molecules/encoders/chemprop/chemprop_encoder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/measure/tensor_memory.h"
#include "molecules/encoders/chemprop/featuriser.h"
#include "molecules/encoders/chemprop/plan.h"

namespace molgauge::encoders::chemprop {
namespace {

/// Rows that a head computes at once.
constexpr std::size_t kRowsOfHead = 256;

std::vector<const Inputs*> inputs_of(std::span<const FeaturisedMolecule* const> batch) {
  std::vector<const Inputs*> inputs;
  inputs.reserve(batch.size());
  for (const FeaturisedMolecule* molecule : batch) {
    inputs.push_back(&dynamic_cast<const Inputs&>(*molecule));
  }
  return inputs;
}

}  // namespace

ChempropEncoder::ChempropEncoder(const ModelSet& set, RowContent content, std::string sha256)
    : content_(content), sha256_(std::move(sha256)), features_(set.models.at(0).form.features) {
  if (content == RowContent::predictions && set.descriptors() > 0) {
    throw std::invalid_argument("ChempropEncoder: predictions depend on descriptors, too");
  }
  const std::uint64_t before = memory::tensor_memory().allocated_bytes();
  for (std::size_t i = 0; i < set.models.size(); ++i) {
    const Model& model = set.models[i];
    if (model.form.features != features_) {
      throw UsageError(
          fmt::format("the models have different atom features: {} has {} and {} has {}. Predict with each "
                      "folder of models separately",
                      set.files[0].string(), atom_width(features_), set.files[i].string(),
                      atom_width(model.form.features)));
    }
    networks_.emplace_back(model);
    columns_.push_back(width_);
    widths_.push_back(content == RowContent::predictions ? model.head.tasks * model.head.targets()
                                                         : static_cast<std::size_t>(model.hidden));
    width_ += widths_.back();
    const auto same = std::find_if(groups_.begin(), groups_.end(),
                                   [&](const Group& group) { return group.form == model.form; });
    if (same == groups_.end()) {
      groups_.push_back({model.form, {i}});
    } else {
      same->members.push_back(i);
    }
  }
  parameter_bytes_ = memory::tensor_memory().allocated_bytes() - before;
}

EncoderIdentity ChempropEncoder::identity() const {
  return {.encoder = kName,
          .weights_sha256 = sha256_,
          .options = fmt::format("rows={};sums=by-state;pooling=fp64",
                                 content_ == RowContent::predictions ? "predictions" : "fingerprints")};
}

chem::Perception ChempropEncoder::perception() const {
  chem::Perception wanted;
  wanted.graph = false;
  wanted.details = true;
  return wanted;
}

std::unique_ptr<FeaturisedMolecule> ChempropEncoder::featurise(const chem::Molecule& molecule) const {
  return chemprop::featurise(molecule, features_);
}

std::uint64_t ChempropEncoder::featurised_bytes(const memory::ItemSize& size) const {
  return sizeof(Inputs) + size.tokens * sizeof(AtomFeatures) + size.pairs / 2 * sizeof(BondFeatures);
}

std::unique_ptr<FeaturisedMolecule> ChempropEncoder::stand_in(const memory::ItemSize& size) const {
  // All atoms differ, so all states are distinct. This case needs the most memory.
  auto inputs = std::make_unique<Inputs>();
  inputs->atoms.resize(std::max<std::size_t>(size.tokens, 1));
  float mass = 0;
  for (AtomFeatures& atom : inputs->atoms) {
    atom.mass = ++mass;
  }
  const std::size_t atoms = inputs->atoms.size();
  for (std::size_t bond = 0; atoms > 1 && bond < size.pairs / 2; ++bond) {
    const std::size_t step = 1 + bond / atoms % (atoms - 1);
    inputs->bonds.push_back(
        {static_cast<std::uint32_t>(bond % atoms), static_cast<std::uint32_t>((bond + step) % atoms), 1});
  }
  return inputs;
}

void ChempropEncoder::predict(std::span<const float> fingerprints, std::span<const double> descriptors,
                              std::span<float> predictions) const {
  const std::size_t rows = fingerprints.size() / width_;
  std::size_t row_width = 0;
  for (const Network& network : networks_) {
    row_width += network.outputs();
  }
  if (content_ != RowContent::fingerprints || fingerprints.size() != rows * width_ ||
      predictions.size() != rows * row_width) {
    throw std::invalid_argument("ChempropEncoder::predict: rows do not fit");
  }
  for (std::size_t first = 0; first < rows; first += kRowsOfHead) {
    const std::size_t count = std::min(kRowsOfHead, rows - first);
    std::size_t column = 0;
    for (std::size_t member = 0; member < networks_.size(); ++member) {
      const Network& network = networks_[member];
      const std::size_t of_one = network.descriptors(), inputs = widths_[member] + of_one;
      ops::Floats input({static_cast<std::int64_t>(count), static_cast<std::int64_t>(inputs)});
      for (std::size_t i = 0; i < count; ++i) {
        float* const row = input.data() + i * inputs;
        std::copy_n(fingerprints.data() + (first + i) * width_ + columns_[member], widths_[member], row);
        network.scale_descriptors(descriptors.subspan((first + i) * of_one, of_one),
                                  {row + widths_[member], of_one});
      }
      const ops::Floats numbers = network.predictions(std::move(input));
      for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(numbers.data() + i * network.outputs(), network.outputs(),
                    predictions.data() + (first + i) * row_width + column);
      }
      column += network.outputs();
    }
  }
}

void ChempropEncoder::encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const {
  if (rows.size() != batch.size() * width_) {
    throw std::invalid_argument("ChempropEncoder::encode: rows do not fit the batch");
  }
  if (batch.empty()) {
    return;
  }
  const std::vector<const Inputs*> inputs = inputs_of(batch);
  for (const Group& group : groups_) {
    write_rows(group, make_plan(inputs, group.form), rows);
  }
}

void ChempropEncoder::encode_without_parts(const FeaturisedMolecule& molecule,
                                           std::span<const std::vector<std::uint32_t>> parts,
                                           std::span<float> rows) const {
  if (rows.size() != (1 + parts.size()) * width_) {
    throw std::invalid_argument("ChempropEncoder::encode_without_parts: rows do not fit the parts");
  }
  const auto& inputs = dynamic_cast<const Inputs&>(molecule);
  for (const Group& group : groups_) {
    write_rows(group, make_plan_without_parts(inputs, group.form, parts), rows);
  }
}

void ChempropEncoder::write_rows(const Group& group, const Plan& plan, std::span<float> rows) const {
  const auto count = static_cast<std::size_t>(plan.molecules.count());
  for (const std::size_t member : group.members) {
    ops::Floats numbers = networks_[member].fingerprints(plan);
    if (content_ == RowContent::predictions) {
      numbers = networks_[member].predictions(std::move(numbers));
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(numbers.data() + i * widths_[member], widths_[member],
                  rows.data() + i * width_ + columns_[member]);
    }
  }
}

}  // namespace molgauge::encoders::chemprop
