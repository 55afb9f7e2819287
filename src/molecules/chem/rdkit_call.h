#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <RDGeneral/Invariant.h>

#include "molecules/chem/perception.h"
#include "molecules/chem/rdkit_log.h"

namespace molgauge::chem {

/// Shortens `reason` to 300 characters and "...", because some messages of RDKit repeat the whole input.
std::string shortened(std::string reason);

/// Runs `work`, which calls RDKit, and turns RDKit's exceptions into InvalidMolecule. Calls must not be
/// nested.
template <typename Work>
auto with_rdkit(const Work& work) {
  const QuietRdkit quiet;
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Invar::Invariant& failed_check) {  // the text of what() is only a part of the message
    throw InvalidMolecule(shortened("RDKit's check failed: " + failed_check.getExpression() + " (" +
                                    failed_check.what() + ")"));
  } catch (const std::out_of_range&) {  // the text of what() names a function of the standard library
    throw InvalidMolecule(
        "RDKit cannot read the record: a line or a field of it is shorter than its format says");
  } catch (const std::exception& failure) {
    throw InvalidMolecule(shortened(failure.what()));
  }
}

}  // namespace molgauge::chem
