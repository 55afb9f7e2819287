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

/// The records that failed, in bounded memory however many they are: beyond a mebibyte they go to a temporary
/// file, which has no name and is gone with the object.
///
/// Records of one input are appended nearly in the order of their rows, as workers side by side come upon
/// them, and given back in that order; those of several inputs as they came. Not thread-safe.
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
  /// The first `count`, or as many as there are and as come before a mebibyte of text is full; always one.
  std::vector<FailedMolecule> first(std::size_t count) const;

 private:
  class Spool;
  FailedMolecule read(std::uint64_t place) const;

  std::unique_ptr<Spool> spool_;
  Order order_;
  std::vector<std::string> files_;  ///< that records come from
  std::size_t size_ = 0;
  std::size_t highest_row_ = 0;
  std::size_t widest_gap_ = 0;  ///< by which a row came after a higher one, at most
};

}  // namespace headroom::pipeline
