// Tests that encoders that need 3D coordinates get the coordinates of the record. If the record lacks
// coordinates, Molgauge generates them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "fakes.h"
#include "molecules/encoding/pipeline/encode_molecules.h"

namespace molgauge::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A row contains the number of atoms with 3D coordinates, and the x coordinate of the last of these atoms.
class LastPlace final : public encoders::Encoder {
 public:
  static constexpr std::size_t kWidth = 2;
  struct Place : encoders::FeaturisedMolecule {
    memory::ItemSize size() const override { return {.tokens = atoms}; }
    std::size_t atoms = 0;
    float x = 0;
  };

  encoders::EncoderIdentity identity() const override { return {"last-place", "", ""}; }
  std::size_t width() const override { return kWidth; }
  chem::Perception perception() const override {
    return {.graph = false, .morgan = false, .coordinates = chem::Coordinates::heavy};
  }
  std::unique_ptr<encoders::FeaturisedMolecule> featurise(const chem::Molecule& molecule) const override {
    auto place = std::make_unique<Place>();
    place->atoms = molecule.conformer.value().elements.size();
    place->x = molecule.conformer->positions.back()[0];
    return place;
  }
  std::uint64_t featurised_bytes(const memory::ItemSize& /*size*/) const override { return sizeof(Place); }
  std::uint64_t featurising_bytes(const memory::ItemSize& /*size*/) const override { return 0; }
  void encode(std::span<const encoders::FeaturisedMolecule* const> batch,
              std::span<float> rows) const override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto& place = dynamic_cast<const Place&>(*batch[i]);
      rows[i * kWidth] = static_cast<float>(place.atoms);
      rows[i * kWidth + 1] = place.x;
    }
  }
};

/// Ethane with this bond length.
chem::MoleculeRecord ethane(const std::string& length) {
  chem::MoleculeRecord record;
  record.format = chem::RecordFormat::molblock;
  record.text =
      "\n     RDKit          3D\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0\n    " +
      length +
      "    0.0000    0.0000 C   0  0\n"
      "  1  2  1  0\nM  END\n";
  return record;
}

class RowsOfPlaces : public RowTable {
 public:
  std::vector<bool> find(std::span<const Hash128> keys) override { return std::vector<bool>(keys.size()); }
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> /*rows*/) override {
    return std::vector<bool>(keys.size());
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = rows.subspan(i * LastPlace::kWidth, LastPlace::kWidth);
      rows_[keys[i]].assign(row.begin(), row.end());
    }
  }
  std::vector<float> row(const chem::MoleculeRecord& record) const { return rows_.at(key_of(record)); }
  std::size_t size() const { return rows_.size(); }

 private:
  std::map<Hash128, std::vector<float>> rows_;
};

TEST(Coordinates, OfARecordReachTheEncoderAndMakeItsKey) {
  const std::vector<chem::MoleculeRecord> records = {ethane("1.5300"), ethane("1.6100")};
  RowsOfPlaces rows;
  encode_molecules(source_of(records), LastPlace(), rows, test::quietly());
  EXPECT_EQ(rows.size(), 2U) << "two shapes of one molecule are two rows";
  EXPECT_THAT(rows.row(records[0]), ElementsAre(2.0F, 1.53F));
  EXPECT_THAT(rows.row(records[1]), ElementsAre(2.0F, 1.61F));
}

TEST(Coordinates, ThatAreMissingFailTheMoleculeAlone) {
  std::vector<chem::MoleculeRecord> records = test::records_of({"CC"});
  records.push_back(ethane("1.5300"));
  records.back().row = 1;
  RowsOfPlaces rows;
  const EncodeOutcome outcome = encode_molecules(source_of(records), LastPlace(), rows, test::quietly());
  EXPECT_EQ(rows.size(), 1U);
  ASSERT_EQ(outcome.failed.size(), 1U);
  EXPECT_THAT(outcome.failed.first(1).front().reason, HasSubstr("3D coordinates"));
}

TEST(Coordinates, AreMadeWhereTheRecordHasNone) {
  std::vector<chem::MoleculeRecord> records = test::records_of({"CC", "[He]"});
  records.push_back(ethane("1.5300"));
  records.back().row = 2;
  PipelineOptions options = test::quietly();
  options.conformers = [](const chem::MoleculeRecord& record, chem::Coordinates wanted) {
    EXPECT_EQ(wanted, chem::Coordinates::heavy);
    EXPECT_EQ(record.format, chem::RecordFormat::smiles) << "made for no other";
    if (record.text == "[He]") {
      throw InputError("helium has no shape");
    }
    return chem::Conformer{{6, 6, 1}, {{0, 0, 0}, {0, 0, 0}, {7, 0, 0}}};
  };
  RowsOfPlaces rows;
  const EncodeOutcome outcome = encode_molecules(source_of(records), LastPlace(), rows, options);
  EXPECT_THAT(rows.row(records[0]), ElementsAre(3.0F, 7.0F));
  EXPECT_THAT(rows.row(records[2]), ElementsAre(2.0F, 1.53F));
  EXPECT_EQ(outcome.failed.first(1).front().reason, "helium has no shape");
}

}  // namespace
}  // namespace molgauge::pipeline
