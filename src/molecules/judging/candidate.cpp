#include "molecules/judging/candidate.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/core/error.h"

namespace molgauge::domain {
namespace {

class Writer {
 public:
  template <typename Number>
  void operator()(const Number& number) requires std::is_trivially_copyable_v<Number> {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    bytes += text;
  }
  template <typename Value>
  void operator()(const std::vector<Value>& values) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    for (const Value& value : values) {
      (*this)(value);
    }
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <typename Number>
  void operator()(Number& number) requires std::is_trivially_copyable_v<Number> {
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
  }
  void operator()(std::string& text) { text = take(size()); }
  template <typename Value>
  void operator()(std::vector<Value>& values) {
    values.resize(size());
    for (Value& value : values) {
      (*this)(value);
    }
  }
  std::size_t size() {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > bytes_.size()) {  // every candidate takes at least a byte
      throw InputError("the bytes of candidates end too early");
    }
    return count;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      throw InputError("the bytes of candidates end too early");
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::string_view bytes_;
};

/// Visits the fields in their order, for reading and for writing.
template <typename Visit, typename AnyCandidate>
void visit_fields(Visit& visit, AnyCandidate& candidate) {
  visit(candidate.unreadable);
  visit(candidate.smiles);
  visit(candidate.standardized);
  visit(candidate.scaffold);
  visit(candidate.match);
  visit(candidate.equals_training);
  visit(candidate.score);
  visit(candidate.range);
  visit(candidate.range_words);
  visit(candidate.nearest);
  visit(candidate.tanimoto);
  visit(candidate.nearest_count);
  visit(candidate.place);
  visit(candidate.foreign.atoms);
  visit(candidate.foreign.elements);
  visit(candidate.foreign.rings);
  visit(candidate.foreign.size);
  visit(candidate.foreign.log_p);
  visit(candidate.foreign.charge);
  visit(candidate.foreign.scaffold_seen);
  visit(candidate.remarks);
  visit(candidate.opinion);
}

}  // namespace

std::string to_bytes(const std::vector<Candidate>& candidates) {
  Writer writer;
  writer(static_cast<std::uint64_t>(candidates.size()));
  for (const Candidate& candidate : candidates) {
    visit_fields(writer, candidate);
  }
  return std::move(writer.bytes);
}

std::vector<Candidate> candidates_from(std::string_view bytes) {
  Reader reader(bytes);
  std::vector<Candidate> candidates(reader.size());
  for (Candidate& candidate : candidates) {
    visit_fields(reader, candidate);
  }
  if (!reader.at_end()) {
    throw InputError("the bytes of candidates go on too long");
  }
  return candidates;
}

}  // namespace molgauge::domain
