// Makes pockets from structures. A pocket is the RNA around a ligand, with the parameters of a force field.

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/file_versions.h"
#include "pockets/force_field/assemble.h"
#include "pockets/preparation/hariboss_table.h"
#include "pockets/preparation/pocket_source.h"
#include "pockets/structures/structure.h"

namespace molgauge::pocket {
namespace {

/// Help text that says where to get a force field.
constexpr const char* kForceFieldHelp =
    "structures contain no force-field parameters. Name a force field for RNA with --force-field, such as "
    "openmm/app/data/amber14/RNA.OL3.xml from the package openmm on PyPI, or parm10.dat and RNA.lib of AMBER";

/// Returns the name of the file without prefix and endings, for example "1aju" for 1AJU.cif.gz and for
/// pdb1aju.ent.
std::string pdb_code(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  name.resize(std::min(name.find('.'), name.size()));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  constexpr std::size_t kWithPrefix = 7;
  return name.size() == kWithPrefix && name.starts_with("pdb") ? name.substr(3) : name;
}

class StructurePockets : public PocketSource {
 public:
  StructurePockets(const std::vector<std::string>& files, const PocketBuildRequest& request)
      : request_(request),
        field_(read_force_field(request.force_field)),
        options_{request.distance_cutoff, request.reference_compatible} {
    if (request.hariboss_csv.empty()) {
      for (const std::string& file : files) {
        items_.push_back({pdb_code(file), request.ligand, file, ""});
      }
      return;
    }
    for (const ComplexRow& row : read_hariboss_table(request.hariboss_csv, request.max_complexes)) {
      const auto file = std::find_if(files.begin(), files.end(), [&](const std::string& candidate) {
        return pdb_code(candidate) == row.pdb;
      });
      std::string problem = row.problem;
      if (problem.empty() && file == files.end()) {
        problem = fmt::format("{} has no structure {}", request.input, row.pdb);
      }
      items_.push_back({row.problem.empty() ? row.pdb : fmt::format("line {}", row.line), row.ligand,
                        file == files.end() ? "" : *file, problem});
    }
  }

  GraphSetOrigin origin() const override {
    return {.source = "structures",
            .force_field = field_.name,
            .cutoff = options_.cutoff,
            .pocket_cutoff = request_.pocket_cutoff,
            .reference_phases = options_.reference_phases};
  }
  std::size_t items() const override { return items_.size(); }
  std::string name_of(std::size_t item) const override {
    return items_[item].ligand.empty() ? items_[item].pdb : items_[item].pdb + "_" + items_[item].ligand;
  }

  std::vector<PlannedPocket> plan(std::size_t item) const override {
    const Item& complex = items_[item];
    if (!complex.problem.empty()) {
      throw InputError(complex.problem);
    }
    const io::FileVersions file({complex.file});
    const std::string made_from = file.checksum(complex.ligand);
    const auto models = std::make_shared<const std::vector<StructureModel>>(
        file.read([&] { return read_structure(complex.file); }));
    std::vector<PlannedPocket> planned;
    for (std::size_t model = 0; model < models->size(); ++model) {
      planned.push_back({fmt::format("{}_model{}", name_of(item), model),
                         fmt::format("{} model {}", made_from, model), [this, models, model, &complex] {
                           try {
                             return make((*models)[model], complex.ligand);
                           } catch (const InputError& failure) {
                             throw InputError(
                                 fmt::format("{}: model {}: {}", complex.file, model, failure.what()));
                           }
                         }});
    }
    return planned;
  }

 private:
  struct Item {
    std::string pdb, ligand, file, problem;
  };

  Pockets make(const StructureModel& model, const std::string& ligand_name) const {
    const std::vector<std::size_t> ligand = find_ligand(model, ligand_name);
    if (ligand.empty()) {
      throw InputError("there is no ligand " + ligand_name);
    }
    std::vector<const StructureResidue*> rna;
    for (const std::size_t residue : find_pocket(model, ligand, request_.pocket_cutoff)) {
      if (model[residue].is_nucleic && !is_deoxyribose(model[residue])) {
        rna.push_back(&model[residue]);
      }
    }
    if (rna.empty()) {
      throw InputError(
          fmt::format("the pocket is empty: no residue of RNA has an atom within {:g} A of the ligand {}",
                      request_.pocket_cutoff, ligand_name));
    }
    const AssembledRna assembled = assemble(find_fragments(rna, field_), field_);
    return make_graph(assembled.topology, assembled.positions, options_);
  }

  /// Used to leave out DNA, which is not part of an RNA pocket.
  static bool is_deoxyribose(const StructureResidue& residue) {
    return residue.name.size() == 2 && residue.name[0] == 'D';
  }

  const PocketBuildRequest& request_;
  ForceField field_;
  GraphOptions options_;
  std::vector<Item> items_;
};

}  // namespace

std::unique_ptr<PocketSource> open_structure_pockets(const std::vector<std::string>& files,
                                                     const PocketBuildRequest& request) {
  if (request.force_field.empty()) {
    throw UsageError(kForceFieldHelp);
  }
  if (request.ligand.empty() && request.hariboss_csv.empty()) {
    throw UsageError(
        "the ligand is missing. Name its residue with --ligand, or a table of complexes with --hariboss-csv");
  }
  return std::make_unique<StructurePockets>(files, request);
}

}  // namespace molgauge::pocket
