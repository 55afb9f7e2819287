#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace molgauge::io {

struct PickleNode;
/// A pointer to a node. The PickleDocument owns the node. Values may be shared and, as in Python, may contain
/// themselves.
using PickleRef = const PickleNode*;

struct PickleNone {};
/// Bytes that stay in the file and are not copied, because rows of numbers make up most of a large pickle.
struct PickleBytes {
  std::uint64_t offset = 0, size = 0;  ///< position in the file of the pickle
};
/// An integer beyond 64 bits, as its little-endian two's complement.
struct PickleLongInteger {
  std::string bytes;
};
struct PickleList {
  std::vector<PickleRef> items;
};
struct PickleTuple {
  std::vector<PickleRef> items;
};
struct PickleSet {
  std::vector<PickleRef> items;
};
struct PickleDict {
  std::vector<std::pair<PickleRef, PickleRef>> entries;
};
/// The name of a class or function. It is not looked up.
struct PickleGlobal {
  std::string module, name;
};
/// A call that Python would make. It is stored, not executed.
struct PickleObject {
  PickleRef callable = nullptr;   ///< usually a PickleGlobal
  PickleRef arguments = nullptr;  ///< usually a PickleTuple
  PickleRef state = nullptr;      ///< argument of __setstate__, or keyword arguments; null if there is none
  std::vector<PickleRef> items;   ///< values that would be appended
  std::vector<std::pair<PickleRef, PickleRef>> entries;  ///< values that would be assigned by key
};
/// A value that is stored outside the pickle, such as the numbers of a tensor.
struct PicklePersistent {
  PickleRef id = nullptr;
};

using PickleValue = std::variant<PickleNone, bool, std::int64_t, PickleLongInteger, double, std::string,
                                 PickleBytes, PickleList, PickleTuple, PickleSet, PickleDict, PickleGlobal,
                                 PickleObject, PicklePersistent>;

struct PickleNode {
  PickleValue value;

  /// The value if it is of this kind, else null.
  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&value);
  }
};

/// A pickle as inert data.
class PickleDocument {
 public:
  PickleRef root() const { return root_; }

 private:
  friend class PickleReader;
  std::deque<PickleNode> nodes_;
  PickleRef root_ = nullptr;
};

}  // namespace molgauge::io
