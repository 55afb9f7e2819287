#pragma once

#include <cstdint>
#include <vector>

#include "memgauge/explain/lifetimes.h"
#include "memgauge/recordings/recording.h"

namespace molgauge::allocator {

/// The part of a program that makes a request.
enum class Region : std::uint8_t {
  unknown,
  outside,   ///< code of the user outside of modules
  building,  ///< constructors and moves of modules, loading of checkpoints
  forward,
  backward,
  optimizer,
  workspace,
};

struct OriginEvidence {
  Region region = Region::unknown;
  bool is_certain = false;       ///< frames or autograd nodes show the region, so it is not inferred
  bool is_cast = false;          ///< a copy of an operand by autocast
  bool is_copy = false;          ///< a copy to the device or to another type
  bool builds_in_torch = false;  ///< PyTorch itself builds, moves or loads modules, which have parameters
  bool accumulates = false;      ///< the request comes from an AccumulateGrad node
};

/// Finds the evidence of each origin. If the program has optimizer steps, a request without frames comes from
/// the backward pass, because the threads of the backward pass have no Python frames. This rule does not
/// apply if C++ frames were recorded, because all requests then have frames. If the recording has no stacks,
/// the names of phases are the evidence.
std::vector<OriginEvidence> evidence_by_origin(const Recording& recording);

/// Whether the recording contains requests of a backward pass.
bool has_backward_pass(const std::vector<OriginEvidence>& evidence, const std::vector<Lifetime>& lifetimes);

}  // namespace molgauge::allocator
