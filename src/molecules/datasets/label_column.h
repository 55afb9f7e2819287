#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/chem/record.h"

namespace molgauge::datasets {

/// Whether a label column may contain censored values such as ">10".
enum class Censoring { left_out, refused };

/// Censored values of a label column.
struct CensoredLabels {
  std::size_t count = 0;
  std::string first;  ///< the first one, as written
};

/// Reads the cells of a label column, one record after another. Every command reads labels with this class.
/// read_label() lists the accepted texts.
class LabelColumn {
 public:
  /// `column`: the name of the column, for messages.
  explicit LabelColumn(std::string column = "", Censoring censoring = Censoring::left_out);

  /// Returns the number or the class (0 or 1) in the cell of a record. Returns NaN if the label is missing,
  /// censored or unknown. Throws InputError naming file and line if the absolute value of a number is above
  /// 1e100, or if the number is censored and Censoring is `refused`.
  double read(std::string_view cell, const chem::MoleculeRecord& record);

  /// Throws InputError naming file and line if a text is unknown, or if the column contains names of classes
  /// and also numbers other than 0 and 1. Call it after the last cell, because the message lists all unknown
  /// texts.
  void require_valid() const;

  std::size_t known() const { return known_; }
  /// The distinct labels. If there are more than ten, the first eleven that were read.
  const std::set<double>& distinct() const { return distinct_; }
  bool has_two_classes() const { return distinct_.size() == 2; }
  /// Whether the labels look like classes 0, 1, 2 and so on: three to ten distinct integers. The smallest is
  /// -1, 0 or 1, and the largest is at most 10.
  bool look_like_several_classes() const;
  const CensoredLabels& censored() const { return censored_; }

 private:
  /// A cell, for messages.
  struct Place {
    std::string file, text;
    std::size_t line = 0;
  };

  void count(double value);
  /// A sentence that lists the unknown texts, or nothing if there is only one.
  std::string other_texts() const;

  std::string column_;
  Censoring censoring_;
  std::size_t known_ = 0;
  std::set<double> distinct_;
  CensoredLabels censored_;
  Place unknown_, class_name_, number_;  ///< the first cells of their kind. `number_`: neither 0 nor 1
  std::vector<std::string> unknown_texts_;
};

}  // namespace molgauge::datasets
