#include "fakes.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <thread>

#include "base/core/error.h"

namespace molgauge::pipeline::test {
namespace {

enum : std::uint8_t { kHelium = 2, kNeon = 10, kArgon = 18 };

struct FakeMolecule : encoders::FeaturisedMolecule {
  chem::Molecule molecule;
  memory::ItemSize size() const override { return {.tokens = molecule.atoms.size()}; }
  bool has(std::uint8_t element) const {
    return std::ranges::any_of(molecule.atoms,
                               [&](const chem::Atom& atom) { return atom.atomic_number == element; });
  }
};

void fill_row(const FakeMolecule& molecule, std::span<float> row) {
  std::ranges::fill(row, 0.0F);
  row[0] = static_cast<float>(molecule.size().tokens);
  for (std::size_t i = 0; i < molecule.molecule.atoms.size(); ++i) {
    const auto number = static_cast<float>(molecule.molecule.atoms[i].atomic_number);
    row[1 + i % (FakeEncoder::kWidth - 1)] += number * static_cast<float>(i + 1);
  }
  if (molecule.has(kNeon)) {
    row.back() = std::numeric_limits<float>::quiet_NaN();
  }
}

}  // namespace

std::vector<chem::MoleculeRecord> records_of(const std::vector<std::string>& texts) {
  std::vector<chem::MoleculeRecord> records;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    records.push_back({texts[i], chem::RecordFormat::smiles, i, i + 1, "molecules.smi"});
  }
  return records;
}

std::string chain(std::size_t i) {
  return std::string(1 + i % 30, 'C') + "O" + std::string(1 + i / 30 % 9, 'N') +
         (i < 270 ? "" : "C=C" + std::string(i / 270, 'S'));
}

std::vector<chem::MoleculeRecord> chains(std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(chain(i));
  }
  return records_of(texts);
}

std::unique_ptr<encoders::FeaturisedMolecule> FakeEncoder::featurise(const chem::Molecule& molecule) const {
  auto featurised = std::make_unique<FakeMolecule>();
  featurised->molecule = molecule;
  if (featurised->has(kHelium)) {
    throw InputError("helium cannot be featurised");
  }
  return featurised;
}

std::uint64_t FakeEncoder::featurised_bytes(const memory::ItemSize& size) const { return 10 * size.tokens; }

void FakeEncoder::encode(std::span<const encoders::FeaturisedMolecule* const> batch,
                         std::span<float> rows) const {
  const std::size_t now = ++now_;
  std::vector<std::size_t> atoms;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto& molecule = dynamic_cast<const FakeMolecule&>(*batch[i]);
    if (molecule.has(kArgon)) {
      throw std::runtime_error("argon breaks the encoder");
    }
    fill_row(molecule, rows.subspan(i * kWidth, kWidth));
    atoms.push_back(molecule.size().tokens);
  }
  std::size_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    most_at_once = std::max<std::size_t>(most_at_once, now);
    batches_.push_back(std::move(atoms));
    number = batches_.size();
  }
  if (on_batch) {
    on_batch(number);
  }
  std::this_thread::sleep_for(delay);
  --now_;
}

std::vector<float> FakeEncoder::row_of(const chem::MoleculeRecord& record) const {
  FakeMolecule molecule;
  molecule.molecule = chem::perceive(record, perception());
  std::vector<float> row(kWidth);
  fill_row(molecule, row);
  return row;
}

std::vector<std::vector<std::size_t>> FakeEncoder::batches() const {
  const std::lock_guard lock(mutex_);
  auto batches = batches_;
  std::ranges::sort(batches);
  return batches;
}

std::size_t FakeEncoder::molecules_encoded() const {
  std::size_t count = 0;
  for (const auto& batch : batches()) {
    count += batch.size();
  }
  return count;
}

std::vector<bool> MemoryTable::find(std::span<const Hash128> keys) {
  if (before_find) {
    before_find();
  }
  const std::lock_guard lock(mutex_);
  std::vector<bool> found;
  for (const Hash128& key : keys) {
    found.push_back(rows_.contains(key));
  }
  return found;
}

std::vector<bool> MemoryTable::read(std::span<const Hash128> keys, std::span<float> rows) {
  const std::lock_guard lock(mutex_);
  std::vector<bool> found;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto entry = rows_.find(keys[i]);
    found.push_back(entry != rows_.end());
    if (found.back()) {
      std::ranges::copy(entry->second, rows.subspan(i * FakeEncoder::kWidth).begin());
    }
  }
  return found;
}

void MemoryTable::write(std::span<const Hash128> keys, std::span<const float> rows) {
  if (before_write) {
    before_write();
  }
  std::this_thread::sleep_for(delay);
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto row = rows.subspan(i * FakeEncoder::kWidth, FakeEncoder::kWidth);
    rows_[keys[i]].assign(row.begin(), row.end());
  }
  largest_transaction_ = std::max(largest_transaction_, keys.size());
}

std::size_t MemoryTable::size() const {
  const std::lock_guard lock(mutex_);
  return rows_.size();
}

std::map<Hash128, std::vector<float>> MemoryTable::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

std::size_t MemoryTable::largest_transaction() const {
  const std::lock_guard lock(mutex_);
  return largest_transaction_;
}

PipelineOptions quietly(std::size_t threads) {
  PipelineOptions options;
  options.threads = threads;
  options.quiet = true;
  return options;
}

}  // namespace molgauge::pipeline::test
