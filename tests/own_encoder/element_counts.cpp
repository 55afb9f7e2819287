#include "element_counts.h"

#include <algorithm>
#include <array>

namespace molgauge::test {
namespace {

constexpr std::array<int, 4> kElements = {6, 7, 8, 9};  // carbon, nitrogen, oxygen, fluorine

struct Counts : encoders::FeaturisedMolecule {
  std::array<float, kElements.size()> of_element = {};
  memory::ItemSize size() const override { return {}; }
};

class ElementCounts final : public encoders::Encoder {
 public:
  encoders::EncoderIdentity identity() const override { return {"element-counts", "", "elements=4"}; }
  std::size_t width() const override { return kElements.size(); }
  chem::Perception perception() const override { return {.graph = true, .morgan = false}; }

  std::unique_ptr<encoders::FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override {
    auto counts = std::make_unique<Counts>();
    for (const chem::Atom& atom : molecule.atoms) {
      for (std::size_t i = 0; i < kElements.size(); ++i) {
        counts->of_element[i] += atom.atomic_number == kElements[i] ? 1.0F : 0.0F;
      }
    }
    return counts;
  }
  std::uint64_t featurised_bytes(const memory::ItemSize& /*size*/) const override { return sizeof(Counts); }
  std::uint64_t featurising_bytes(const memory::ItemSize& /*size*/) const override { return 0; }

  void encode(std::span<const encoders::FeaturisedMolecule* const> batch,
              std::span<float> rows) const override {
    auto row = rows.begin();
    for (const encoders::FeaturisedMolecule* const molecule : batch) {
      const auto& counts = dynamic_cast<const Counts&>(*molecule).of_element;
      row = std::copy(counts.begin(), counts.end(), row);
    }
  }
};

std::unique_ptr<encoders::Encoder> make(const encoders::EncoderSettings& /*settings*/,
                                        ops::Precision /*precision*/) {
  return std::make_unique<ElementCounts>();
}

}  // namespace

encoders::EncoderDescriptor element_counts() {
  encoders::EncoderDescriptor descriptor;
  descriptor.name = "element-counts";
  descriptor.summary = "numbers of C, N, O and F atoms";
  descriptor.width = kElements.size();
  descriptor.make = make;
  return descriptor;
}

}  // namespace molgauge::test
