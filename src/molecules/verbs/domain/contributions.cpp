#include "molecules/verbs/domain/contributions.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/chem/depict.h"
#include "molecules/chem/parts.h"
#include "molecules/chem/perception.h"
#include "molecules/chem/standardize.h"

namespace molgauge::verbs {

Contributions::Contributions(const encoders::chemprop::ModelSet& models,
                             const encoders::chemprop::ChempropEncoder& encoder, Standardize form,
                             std::vector<Task> tasks)
    : encoder_(encoder), table_(models, {}), width_(models.width()), form_(form), tasks_(std::move(tasks)) {}

void require_contributions(const encoders::chemprop::ModelSet& models) {
  const auto refuse = [](const char* reason) {
    throw UsageError(fmt::format("--contributions: the model {}. Leave --contributions out", reason));
  };
  if (models.descriptors() > 0) {
    refuse("also takes descriptors of the whole molecule, which have no parts");
  }
  if (std::all_of(models.ensembles.begin(), models.ensembles.end(), [](const auto& ensemble) {
        using encoders::chemprop::HeadKind;
        return ensemble.head.kind == HeadKind::multiclass ||
               ensemble.head.kind == HeadKind::multiclass_dirichlet;
      })) {
    refuse("predicts more than two classes, so a part does not raise or lower one number");
  }
}

std::uint64_t bytes_of_contributions(std::size_t rows, std::size_t threads) {
  // A drawing is in memory three times: as data, as JSON and as text. A molecule of kMaxDrawnAtoms atoms with
  // 50 parts needs less than 8 MiB while it is computed with 300 hidden units and ten models.
  constexpr std::uint64_t kOfRow = 8000, kOfThread = std::uint64_t{8} << 20;
  return rows * kOfRow + threads * kOfThread;
}

std::vector<std::string> Contributions::titles() const {
  std::vector<std::string> titles;
  std::transform(tasks_.begin(), tasks_.end(), std::back_inserter(titles),
                 [](const Task& task) { return task.title; });
  return titles;
}

report::DrawnContributions Contributions::of(const chem::MoleculeRecord& drawn) const {
  try {
    return of_form(chem::standardized_record(drawn, form_));
  } catch (const chem::InvalidMolecule&) {  // RDKit cannot cut or read the form
    return {};
  }
}

report::DrawnContributions Contributions::of_form(const chem::MoleculeRecord& record) const {
  report::DrawnContributions drawing;
  const chem::Molecule molecule = chem::perceive(record, encoder_.perception());
  const std::size_t atoms = molecule.atoms.size();
  if (atoms > chem::kMaxDrawnAtoms) {
    return drawing;
  }
  const std::vector<std::vector<std::uint32_t>> parts = chem::brics_parts(record);
  if (parts.size() < 2) {
    return drawing;
  }
  std::vector<float> rows((1 + parts.size()) * encoder_.width()), predictions((1 + parts.size()) * width_);
  encoder_.encode_without_parts(*encoder_.featurise(molecule), parts, rows);
  encoder_.predict(rows, {}, predictions);
  const auto values_of = [&](std::size_t row) {
    return table_.values(std::span(predictions).subspan(row * width_, width_));
  };
  const std::vector<std::vector<float>> whole = values_of(0);
  drawing.parts.resize(atoms);
  drawing.changes.assign(tasks_.size(), {});
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const std::uint32_t atom : parts[part]) {
      drawing.parts[atom] = static_cast<std::uint16_t>(part);
    }
    const std::vector<std::vector<float>> without = values_of(part + 1);
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      const std::size_t index = tasks_[task].index;
      drawing.changes[task].push_back(whole[index].front() - without[index].front());
    }
  }
  drawing.layout = report::encoded_layout(record.text, record.format == chem::RecordFormat::molblock);
  return drawing;
}

}  // namespace molgauge::verbs
