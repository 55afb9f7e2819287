#include "molecules/encoders/elements/descriptor.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace molgauge::encoders::elements {
namespace {

constexpr std::size_t kWidth = 128;

struct Elements : FeaturisedMolecule {
  std::vector<std::uint8_t> numbers;
  memory::ItemSize size() const override { return {}; }
};

class ElementsEncoder : public Encoder {
 public:
  EncoderIdentity identity() const override { return {"elements", "", "width=128"}; }
  std::size_t width() const override { return kWidth; }
  chem::Perception perception() const override { return {}; }
  std::unique_ptr<FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override {
    auto featurised = std::make_unique<Elements>();
    for (const chem::Atom& atom : molecule.atoms) {
      featurised->numbers.push_back(std::min<std::uint8_t>(atom.atomic_number, kWidth - 1));
    }
    return featurised;
  }
  std::uint64_t featurised_bytes(const memory::ItemSize& size) const override {
    return sizeof(Elements) + size.tokens;
  }
  std::uint64_t featurising_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  void encode(std::span<const FeaturisedMolecule* const> batch, std::span<float> rows) const override {
    if (rows.size() != batch.size() * kWidth) {
      throw std::invalid_argument("ElementsEncoder::encode: rows do not fit the batch");
    }
    std::fill(rows.begin(), rows.end(), 0.0F);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      for (const std::uint8_t element : dynamic_cast<const Elements&>(*batch[i]).numbers) {
        ++rows[i * kWidth + element];
      }
    }
  }
};

std::unique_ptr<Encoder> make(const EncoderSettings& /*settings*/, ops::Precision /*precision*/) {
  return std::make_unique<ElementsEncoder>();
}

}  // namespace

EncoderDescriptor descriptor() {
  EncoderDescriptor elements;
  elements.name = "elements";
  elements.summary = "Numbers of atoms of each element, without weights";
  elements.width = kWidth;
  elements.make = make;
  return elements;
}

}  // namespace molgauge::encoders::elements
