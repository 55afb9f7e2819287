#include "pockets/structures/structure.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>

#include <gemmi/gz.hpp>
#include <gemmi/mmread.hpp>
#include <gemmi/polyheur.hpp>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

/// Converts names from before 2007: C1* to C1', O1P to OP1.
std::string current_name(std::string name) {
  std::replace(name.begin(), name.end(), '*', '\'');
  if (name.size() == 3 && name[0] == 'O' && name[2] == 'P' && name[1] >= '1' && name[1] <= '3') {
    name = std::string("OP") + name[1];
  }
  return name;
}

StructureResidue plain(const gemmi::Residue& residue, const std::string& chain, gemmi::PolymerType polymer,
                       const std::string& file) {
  const bool is_polymer = residue.entity_type == gemmi::EntityType::Polymer;
  StructureResidue found;
  found.name = residue.name;
  found.chain = chain;
  found.number = residue.seqid.str();
  found.is_nucleic = is_polymer && gemmi::is_polynucleotide(polymer);
  found.is_peptide = is_polymer && gemmi::is_polypeptide(polymer);
  found.is_water = residue.is_water();
  std::set<std::string> names;
  for (const gemmi::Atom& atom : residue.atoms) {
    const std::string name = current_name(atom.name);
    if (!names.insert(name).second) {
      continue;  // an alternative location is skipped
    }
    const Position position{atom.pos.x, atom.pos.y, atom.pos.z};
    if (!std::all_of(position.begin(), position.end(), [](double number) { return std::isfinite(number); })) {
      throw InputError(file + ": atom " + name + " of " + found.label() +
                       " has a coordinate that is not a number");
    }
    found.atoms.push_back({name, atom.element.atomic_number(), position});
  }
  return found;
}

StructureModel plain(const gemmi::Model& model, const std::string& file) {
  StructureModel residues;
  for (const gemmi::Chain& chain : model.chains) {
    const gemmi::PolymerType polymer = gemmi::check_polymer_type(chain.get_polymer());
    for (const gemmi::Residue& residue : chain.residues) {
      residues.push_back(plain(residue, chain.name, polymer, file));
    }
  }
  return residues;
}

bool is_near(const StructureResidue& residue, const StructureResidue& other, double cutoff) {
  return std::any_of(residue.atoms.begin(), residue.atoms.end(), [&](const StructureAtom& atom) {
    return std::any_of(other.atoms.begin(), other.atoms.end(), [&](const StructureAtom& near) {
      return std::hypot(atom.position[0] - near.position[0], atom.position[1] - near.position[1],
                        atom.position[2] - near.position[2]) <= cutoff;
    });
  });
}

}  // namespace

const StructureAtom* StructureResidue::find(const std::string& atom) const {
  const auto found = std::find_if(atoms.begin(), atoms.end(),
                                  [&](const StructureAtom& candidate) { return candidate.name == atom; });
  return found == atoms.end() ? nullptr : &*found;
}

std::vector<StructureModel> read_structure(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) {
    throw InputError(file + ": no such file");
  }
  try {
    gemmi::Structure structure = gemmi::read_structure(gemmi::MaybeGzipped(file));
    gemmi::setup_entities(structure);
    std::vector<StructureModel> models;
    for (const gemmi::Model& model : structure.models) {
      models.push_back(plain(model, file));
    }
    if (models.empty() || models.front().empty()) {
      throw InputError(file + ": holds no atoms");
    }
    return models;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failure) {
    throw InputError(file + ": cannot be read as a structure: " + failure.what());
  }
}

std::vector<std::size_t> find_ligand(const StructureModel& model, const std::string& name) {
  std::vector<std::size_t> all, free;
  for (std::size_t i = 0; i < model.size(); ++i) {
    if (upper(model[i].name) == upper(name)) {
      all.push_back(i);
      if (!model[i].is_nucleic && !model[i].is_peptide) {
        free.push_back(i);
      }
    }
  }
  return free.empty() ? all : free;
}

std::vector<std::size_t> find_pocket(const StructureModel& model, const std::vector<std::size_t>& ligand,
                                     double cutoff) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < model.size(); ++i) {
    const bool is_ligand = std::find(ligand.begin(), ligand.end(), i) != ligand.end();
    if (!is_ligand && std::any_of(ligand.begin(), ligand.end(),
                                  [&](std::size_t part) { return is_near(model[i], model[part], cutoff); })) {
      found.push_back(i);
    }
  }
  return found;
}

}  // namespace molgauge::pocket
