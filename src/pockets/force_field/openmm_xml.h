#pragma once

#include <string>

#include "pockets/force_field/force_field.h"

namespace molgauge::pocket {

/// Reads OpenMM XML (docs.openmm.org, "Creating Force Fields") into `field`: <AtomTypes>, <Residues>,
/// harmonic bonds and angles, periodic torsions in the order of AMBER, and the Lennard-Jones part of
/// <NonbondedForce>. Throws InputError with file, line and reason for invalid XML, an invalid number, or a
/// force of another form, because its energy would be missing.
void read_openmm_xml(const std::string& file, ForceField& field);

}  // namespace molgauge::pocket
