#include "molecules/datasets/label_column.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "molecules/datasets/class_labels.h"

namespace molgauge::datasets {
namespace {

constexpr double kNoLabel = std::numeric_limits<double>::quiet_NaN();
/// Limit of absolute values, because errors are squared and summed.
constexpr double kLargest = 1e100;
constexpr std::size_t kMostClasses = 10, kTextsKept = 10;
constexpr double kLargestClass = 10;

constexpr const char* kAccepted =
    "Write numbers, or two classes as 1 and 0, true and false, T and F, active and inactive, yes and no, or "
    "positive and negative. If a label is unknown, leave the cell empty, or write NA, N/A, NaN, null, none "
    "or ?";

constexpr const char* kTwoClasses =
    " Molgauge uses two classes. Make a column with 1 for one of the classes and 0 for the others.";

}  // namespace

LabelColumn::LabelColumn(std::string column, Censoring censoring)
    : column_(std::move(column)), censoring_(censoring) {}

double LabelColumn::read(std::string_view cell, const chem::MoleculeRecord& record) {
  const LabelCell label = read_label(cell);
  const std::string_view text = io::trimmed(cell);
  const auto note = [&](Place& place) {
    if (place.file.empty()) {
      place = {record.file, std::string(text), record.line};
    }
  };
  switch (label.kind) {
    case LabelKind::missing:
      return kNoLabel;
    case LabelKind::unknown:
      note(unknown_);
      if (unknown_texts_.size() <= kTextsKept &&
          std::find(unknown_texts_.begin(), unknown_texts_.end(), text) == unknown_texts_.end()) {
        unknown_texts_.emplace_back(text);
      }
      return kNoLabel;
    case LabelKind::censored:
      if (censoring_ == Censoring::refused) {
        throw InputError(
            fmt::format("{}:{}: '{}' in the column {} is a censored value, but a number or a class is "
                        "needed. Leave the cell empty. For --algorithm drugood, write the relation into a "
                        "separate column and name it with --relation-column",
                        record.file, record.line, text, column_));
      }
      if (++censored_.count == 1) {
        censored_.first = text;
      }
      return kNoLabel;
    case LabelKind::class_name:
      note(class_name_);
      break;
    case LabelKind::number:
      if (std::abs(label.value) > kLargest) {
        throw InputError(fmt::format(
            "{}:{}: '{}' in the column {} is too large: values up to 1e100 are supported. Correct it, or "
            "leave the cell empty if there is no value",
            record.file, record.line, text, column_));
      }
      if (label.value != 0 && label.value != 1) {
        note(number_);
      }
  }
  count(label.value);
  return label.value;
}

void LabelColumn::count(double value) {
  ++known_;
  if (distinct_.size() <= kMostClasses) {
    distinct_.insert(value);
  }
}

void LabelColumn::require_valid() const {
  const auto at = [](const Place& place) { return fmt::format("{}:{}", place.file, place.line); };
  if (!unknown_texts_.empty()) {
    throw InputError(
        fmt::format("{}: '{}' in the column {} is neither a number nor a class that Molgauge "
                    "knows.{}{} {}",
                    at(unknown_), unknown_.text, column_, other_texts(),
                    unknown_texts_.size() > 2 && known_ == 0 ? kTwoClasses : "", kAccepted));
  }
  if (!class_name_.file.empty() && !number_.file.empty()) {
    throw InputError(fmt::format(
        "{}: '{}' in the column {} is a number, but '{}' at line {} is a class. Write only numbers, or only "
        "classes",
        at(number_), number_.text, column_, class_name_.text, class_name_.line));
  }
}

std::string LabelColumn::other_texts() const {
  if (unknown_texts_.size() < 2) {
    return "";
  }
  const std::size_t shown = std::min(unknown_texts_.size(), kTextsKept);
  return fmt::format(
      " The column has the texts {}{}.",
      fmt::join(unknown_texts_.begin(), unknown_texts_.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      shown < unknown_texts_.size() ? ", ..." : "");
}

bool LabelColumn::look_like_several_classes() const {
  if (distinct_.size() < 3 || distinct_.size() > kMostClasses) {
    return false;
  }
  const double least = *distinct_.begin(), greatest = *distinct_.rbegin();
  return least >= -1 && least <= 1 && greatest <= kLargestClass &&
         std::all_of(distinct_.begin(), distinct_.end(),
                     [](double value) { return value == std::floor(value); });
}

}  // namespace molgauge::datasets
