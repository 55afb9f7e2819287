#include "molecules/verbs/domain/training_collector.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "molecules/verbs/domain/domain_labels.h"

namespace molgauge::verbs {
namespace {

std::string name_of(const TrainingRow& row) {
  return row.name.empty() ? fmt::format("line {}", row.record.line) : row.name;
}

const std::string& smiles_of(const TrainingRow& row) {
  return row.record.format == chem::RecordFormat::smiles ? row.record.text : row.description->drawn_smiles;
}

template <typename Value>
void reorder(std::vector<Value>& values, const std::vector<std::uint32_t>& order) {
  std::vector<Value> sorted;
  sorted.reserve(values.size());
  for (const std::uint32_t place : order) {
    sorted.push_back(std::move(values[place]));
  }
  values = std::move(sorted);
}

}  // namespace

void TrainingCollector::add(TrainingRow& row, std::span<const float> features) {
  if (!row.description) {
    if (!row.unreadable.empty()) {
      failed_.append({row.record.row, row.record.line, row.record.file, row.record.text, row.unreadable});
    }
    ++set_.failed;
    return;
  }
  const chem::Description& description = *row.description;
  const auto [known, is_new] =
      places_.try_emplace(description.canonical_smiles, static_cast<std::uint32_t>(places_.size()));
  const std::uint32_t molecule = known->second;
  if (has_values_) {
    values_.add(molecule, row.value);
  }
  if (is_new) {
    append(row, features);
    return;
  }
  ++set_.duplicates;
  set_.merged.redrawn += description.drawn_smiles == drawn_[molecule] ? 0 : 1;
  const std::string name = name_of(row), &kept = set_.notes.names[molecule];
  if (std::tuple(name.size(), name, description.drawn_smiles, smiles_of(row)) <
      std::tuple(kept.size(), kept, drawn_[molecule], set_.notes.smiles[molecule])) {
    replace(molecule, row, features);
  }
}

void TrainingCollector::append(const TrainingRow& row, std::span<const float> features) {
  const chem::Description& description = *row.description;
  set_.molecules.width = features.size();
  set_.molecules.features.insert(set_.molecules.features.end(), features.begin(), features.end());
  set_.molecules.environments.append(description.environments);
  set_.molecules.properties.push_back(domain::properties_of(description));
  domain::TrainingNotes& notes = set_.notes;
  notes.names.push_back(name_of(row));
  notes.smiles.push_back(smiles_of(row));
  notes.canonical_smiles.push_back(description.canonical_smiles);
  notes.scaffolds.push_back(description.scaffold);
  notes.keys.push_back(domain::form_keys(description));
  notes.known.add(description);
  drawn_.push_back(description.drawn_smiles);
}

void TrainingCollector::replace(std::size_t molecule, const TrainingRow& row,
                                std::span<const float> features) {
  std::copy(features.begin(), features.end(), &set_.molecules.features[molecule * features.size()]);
  set_.notes.names[molecule] = name_of(row);
  set_.notes.smiles[molecule] = smiles_of(row);
  set_.notes.keys[molecule] = domain::form_keys(*row.description);
  drawn_[molecule] = row.description->drawn_smiles;
}

std::vector<std::uint32_t> TrainingCollector::sort() {
  domain::TrainingNotes& notes = set_.notes;
  std::vector<std::uint32_t> order(notes.names.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t one, std::uint32_t other) {
    return notes.canonical_smiles[one] < notes.canonical_smiles[other];
  });
  domain::Molecules sorted;
  sorted.width = set_.molecules.width;
  sorted.features.reserve(set_.molecules.features.size());
  for (const std::uint32_t place : order) {
    sorted.append(set_.molecules, place);
  }
  set_.molecules = std::move(sorted);
  reorder(notes.names, order);
  reorder(notes.smiles, order);
  reorder(notes.canonical_smiles, order);
  reorder(notes.scaffolds, order);
  reorder(notes.keys, order);
  return order;
}

domain::TrainingSet TrainingCollector::finish() {
  set_.notes.known.add_environments(set_.molecules.environments);
  if (has_values_) {
    set_.labels = describe_labels(values_, set_.notes.names, set_.notes.smiles);
  }
  const std::vector<std::uint32_t> order = sort();
  for (std::size_t i = 0; has_values_ && i < order.size(); ++i) {
    set_.values.push_back(values_.merged(order[i]));
  }
  return std::move(set_);
}

}  // namespace molgauge::verbs
