#pragma once

#include "molecules/verbs/experiment/cell_kind.h"

namespace molgauge::verbs {

/// Trains energy heads, on fixed features or together with the last layers of the encoder. The folder of a
/// cell becomes an ordinary run folder, which `molgauge evaluate` and `molgauge score` accept.
class EnergyCells final : public CellKind {
 public:
  void require_valid(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  bool trains_encoder(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  std::string identity(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  std::optional<double> pair_beta(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  std::string memory_identity(const CellOfMatrix& cell, const MatrixSizes& sizes) const override;
  CellPlan plan(const CellOfMatrix& cell, const MatrixSizes& sizes, const CellRoom& room) const override;
  matrix::CellResult run(const CellOfMatrix& cell, const CellRun& run) override;
};

}  // namespace molgauge::verbs
