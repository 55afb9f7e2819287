// Options of `headroom count`.

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using R = CountRequest;

constexpr std::array kTable = {
    molecules_row<R>(),
    smiles_column_row<R>(),
};

}  // namespace

template <>
std::span<const Option> table<CountRequest>() {
  return kTable;
}

}  // namespace headroom::options
