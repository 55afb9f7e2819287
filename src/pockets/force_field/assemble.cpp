#include "pockets/force_field/assemble.h"

#include "base/core/error.h"
#include "pockets/force_field/hydrogens.h"
#include "pockets/force_field/parameter_terms.h"

namespace molgauge::pocket {
namespace {

class Assembly {
 public:
  explicit Assembly(const ForceField& field) : field_(field) {}

  void add(const Fragment& fragment) {
    for (std::size_t i = 0; i < fragment.size(); ++i) {
      const TemplatedResidue& residue = fragment[i];
      const auto start = static_cast<std::int64_t>(types_.size());
      add_atoms(residue);
      for (const AtomNumbers<2>& bond : residue.shape->bonds) {
        join(start + bond[0], start + bond[1]);
      }
      if (i > 0) {
        join(last_start_ + end_of(*fragment[i - 1].shape, "O3'"), start + end_of(*residue.shape, "P"));
      }
      last_start_ = start;
    }
  }

  AssembledRna finish() {
    add_terms(field_, types_, bonded_, rna_.topology);
    const HydrogenFrame frame{
        .bonded = bonded_,
        .length = [this](std::int64_t a,
                         std::int64_t b) { return field_.bond(type(a), type(b)).equilibrium; },
        .angle = [this](std::int64_t a, std::int64_t centre,
                        std::int64_t b) { return field_.angle(type(a), type(centre), type(b)).equilibrium; },
        .name = [this](std::int64_t atom) { return rna_.names[static_cast<std::size_t>(atom)]; }};
    rna_.positions = place_hydrogens(known_, frame);
    return std::move(rna_);
  }

 private:
  const AtomType& type(std::int64_t atom) const { return *types_[static_cast<std::size_t>(atom)]; }

  void add_atoms(const TemplatedResidue& residue) {
    for (std::size_t i = 0; i < residue.shape->atoms.size(); ++i) {
      const TemplateAtom& atom = residue.shape->atoms[i];
      const AtomType& atom_type = field_.type(atom.type);
      types_.push_back(&atom_type);
      rna_.topology.atoms.push_back(
          {.charge = atom.charge, .element = atom_type.element, .mass = atom_type.mass, .type = 0});
      rna_.names.push_back(atom.name + " of " + residue.residue->label());
      known_.push_back(residue.positions[i]);
    }
    bonded_.resize(types_.size());
  }

  void join(std::int64_t a, std::int64_t b) {
    bonded_[static_cast<std::size_t>(a)].push_back(b);
    bonded_[static_cast<std::size_t>(b)].push_back(a);
  }

  static std::int64_t end_of(const ResidueTemplate& shape, const char* atom) {
    const auto found = shape.find(atom);
    if (!found) {
      throw InputError("the template " + shape.name + " has no atom " + atom +
                       " to be bonded to its neighbour");
    }
    return *found;
  }

  const ForceField& field_;
  std::vector<const AtomType*> types_;
  std::vector<std::vector<std::int64_t>> bonded_;
  std::vector<std::optional<Position>> known_;
  std::int64_t last_start_ = 0;
  AssembledRna rna_;
};

}  // namespace

AssembledRna assemble(const std::vector<Fragment>& fragments, const ForceField& field) {
  Assembly assembly(field);
  for (const Fragment& fragment : fragments) {
    assembly.add(fragment);
  }
  return assembly.finish();
}

}  // namespace molgauge::pocket
