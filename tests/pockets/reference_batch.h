#pragma once

#include <string>

#include "base/io/tensors/npz.h"
#include "fixture_arrays.h"
#include "pockets/graph.h"
#include "support/fixtures.h"

namespace molgauge::test {

/// The pockets of a reference file.
inline pocket::Batch batch_in(const std::string& file) {
  const io::TensorMap data = io::read_npz(reference_data(file));
  const auto terms = [&](const std::string& kind) {
    return pocket::Terms{integers_in(data, "in/" + kind + "_index"), floats_in(data, "in/" + kind + "_attr")};
  };
  pocket::Pockets pockets{floats_in(data, "in/x"),   floats_in(data, "in/pos"), terms("edge"),
                          terms("triple"),           terms("quadra"),           terms("nonbonded_edge"),
                          {data.at("in/x").shape[0]}};
  if (data.contains("in/num_nodes")) {
    const ops::Integers sizes = integers_in(data, "in/num_nodes");
    pockets.sizes.assign(sizes.data(), sizes.data() + sizes.count());
  }
  return pocket::arrange(pockets, file);
}

}  // namespace molgauge::test
