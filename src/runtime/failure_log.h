#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "headroom/types.h"

namespace headroom::pipeline {

/// The records that failed, in bounded memory for any number of them: beyond a mebibyte they go to a
/// temporary file, which has no name and disappears with the object.
///
/// Workers append records of one input nearly in the order of their rows. The log returns them in that order.
/// Records of several inputs are returned in the order of appending. Not thread-safe.
class FailureLog {
 public:
  enum class Order { by_row, as_appended };

  /// `scratch`: the folder of the temporary file; empty: the system's for such files.
  explicit FailureLog(std::filesystem::path scratch = {}, Order order = Order::by_row);
  ~FailureLog();
  FailureLog(FailureLog&&) noexcept;
  FailureLog& operator=(FailureLog&&) noexcept;

  /// Throws Error naming the folder where the temporary file cannot be made or written.
  void append(const FailedMolecule& failed);
  void append_all(const std::vector<FailedMolecule>& failed);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Calls `visit` for each, in their order, until it returns false.
  void for_each(const std::function<bool(FailedMolecule&&)>& visit) const;
  /// The first `count`, fewer if there are fewer or if they exceed a mebibyte of text; at least one.
  std::vector<FailedMolecule> first(std::size_t count) const;
  /// All records in memory, for calls whose molecules are in memory.
  std::vector<FailedMolecule> all() const;

 private:
  class Spool;
  FailedMolecule read(std::uint64_t place) const;

  std::unique_ptr<Spool> spool_;
  Order order_;
  std::vector<std::string> files_;  ///< files of the records
  std::size_t size_ = 0;
  std::size_t highest_row_ = 0;
  std::size_t widest_gap_ = 0;  ///< largest difference between a row and a higher one before it
};

}  // namespace headroom::pipeline
