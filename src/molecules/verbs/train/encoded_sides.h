#pragma once

#include <string>
#include <utility>
#include <vector>

#include "molecules/datasets/side.h"
#include "molecules/encoding/session/encoded_parts.h"

namespace molgauge::verbs {

/// Encodes several sides of a benchmark at once, with PartEncoder. Sides that were not added stay empty.
class SideEncoder {
 public:
  /// `file`: the benchmark, for messages.
  SideEncoder(session::EncodingSession& session, const std::string& file)
      : file_(file), parts_(session, file) {}

  void add(datasets::Side side, const std::vector<datasets::BenchmarkMolecule>& molecules) {
    add(side, molecules, file_);
  }
  /// Adds molecules from a file other than the benchmark.
  void add(datasets::Side side, const std::vector<datasets::BenchmarkMolecule>& molecules,
           const std::string& file) {
    sides_.push_back(side);
    parts_.add(datasets::to_string(side), molecules, file);
  }

  void declare_requirement() { parts_.declare_requirement(); }

  datasets::BySide<session::PartEncoder::Encoded> encode_keys(pipeline::FailureLog& failed) {
    return by_side(parts_.encode_keys(failed));
  }
  datasets::BySide<ops::Floats> encode(pipeline::FailureLog& failed) {
    return by_side(parts_.encode(failed));
  }

 private:
  template <typename Part>
  datasets::BySide<Part> by_side(std::vector<Part> parts) const {
    datasets::BySide<Part> all;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      all[sides_[i]] = std::move(parts[i]);
    }
    return all;
  }

  std::string file_;
  std::vector<datasets::Side> sides_;
  session::PartEncoder parts_;
};

}  // namespace molgauge::verbs
