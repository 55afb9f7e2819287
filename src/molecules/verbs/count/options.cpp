#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

constexpr std::array kTable = {molecules_row<CountRequest>(), smiles_column_row<CountRequest>()};

}  // namespace

template <>
std::span<const Option> table<CountRequest>() {
  return kTable;
}

}  // namespace molgauge::options
