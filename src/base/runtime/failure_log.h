#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "molgauge/types.h"

namespace molgauge::pipeline {

/// The failed records in bounded memory. If they exceed a mebibyte, they are moved to an unnamed temporary
/// file, which disappears with the object.
///
/// Order::by_row is for one input. Workers append its records nearly in the order of their rows, and the log
/// returns them exactly in that order. Order::as_appended is for several inputs. The log then returns records
/// in the order in which they were appended. Not thread-safe.
class FailureLog {
 public:
  enum class Order { by_row, as_appended };

  /// `scratch`: folder of the temporary file. If it is empty, the temporary folder of the system is used.
  explicit FailureLog(std::filesystem::path scratch = {}, Order order = Order::by_row);
  ~FailureLog();
  FailureLog(FailureLog&&) noexcept;
  FailureLog& operator=(FailureLog&&) noexcept;

  /// Throws Error, which names the folder, if the temporary file cannot be created or written.
  void append(const FailedMolecule& failed);
  void append_all(const std::vector<FailedMolecule>& failed);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Calls `visit` for each record in order, until it returns false.
  void for_each(const std::function<bool(FailedMolecule&&)>& visit) const;
  /// Returns the first `count` records. Returns fewer, but at least one, if their text exceeds a mebibyte.
  std::vector<FailedMolecule> first(std::size_t count) const;
  /// Returns all records, for calls with molecules in memory.
  std::vector<FailedMolecule> all() const;

 private:
  class Spool;
  FailedMolecule read(std::uint64_t place) const;

  std::unique_ptr<Spool> spool_;
  Order order_;
  std::vector<std::string> files_;  ///< files of the records
  std::size_t size_ = 0;
  std::size_t highest_row_ = 0;
  std::size_t widest_gap_ = 0;  ///< largest difference between a row and a higher row that was appended
                                ///< before it
};

}  // namespace molgauge::pipeline
