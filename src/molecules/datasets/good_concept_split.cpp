#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "base/core/error.h"
#include "molecules/datasets/good_split.h"

namespace molgauge::datasets {
namespace {

enum class Role { train, test };

/// A group of rows. The groups choose their rows one after another. Rows that no group chooses become
/// ood_val.
struct Group {
  double bias;        ///< share of aligned rows that the group wants
  double pick_ratio;  ///< share of the suitable rows that the group takes
  Role role;
};

using Groups = std::array<Group, 4>;
constexpr Groups kClassGroups = {
    {{0.95, 0.3, Role::train}, {0.95, 0.5, Role::test}, {0.9, 0.6, Role::train}, {0.85, 1, Role::train}}};
constexpr Groups kValueGroups = {
    {{0.95, 0.3, Role::train}, {0.9, 0.5, Role::train}, {0.95, 0.6, Role::test}, {0.85, 1, Role::train}}};

/// The position of a label relative to the centre. aligned: on the side that the group prefers in the domain.
/// opposed: on the other side. centre: exactly on the centre.
enum class LabelSide { aligned, opposed, centre };

/// The label that separates high labels from low labels.
struct Centre {
  double value;
  bool ties_wait;  ///< whether a row on the centre is neither aligned nor opposed

  LabelSide side_of(float label, int sign) const {
    const double distance = sign * (static_cast<double>(label) - value);
    if (distance > 0) {
      return LabelSide::aligned;
    }
    return ties_wait && distance == 0 ? LabelSide::centre : LabelSide::opposed;
  }
};

Centre centre_of(std::span<const float> labels, GoodStyle style) {
  if (style == GoodStyle::classes) {
    const double sum = std::accumulate(labels.begin(), labels.end(), 0.0);
    return {sum / static_cast<double>(labels.size()), false};
  }
  std::vector<float> sorted(labels.begin(), labels.end());
  std::sort(sorted.begin(), sorted.end());
  return {static_cast<double>(sorted[sorted.size() / 2]), true};
}

/// The rows of one domain that a group has taken, and the rows that it could add.
class Choice {
 public:
  void see(LabelSide side, std::size_t row, bool take) {
    Kind& kind = side == LabelSide::aligned ? aligned_ : opposed_;
    kind.present = true;
    if (take) {
      kind.taken = true;
      rows_.push_back(row);
    } else {
      kind.last_left = row;
    }
  }

  /// Returns the rows that were taken. If the domain has aligned and opposed rows, but only one of these
  /// kinds was taken, adds the last row of the other kind.
  std::vector<std::size_t> balanced() && {
    if (aligned_.present && opposed_.present && aligned_.taken != opposed_.taken) {
      rows_.push_back(*(aligned_.taken ? opposed_ : aligned_).last_left);
    }
    return std::move(rows_);
  }

 private:
  struct Kind {
    bool present = false, taken = false;
    std::optional<std::size_t> last_left;
  };
  Kind aligned_, opposed_;
  std::vector<std::size_t> rows_;
};

/// Removes from `domain` the rows that `group` chooses, and returns these rows. `sign`: sign of the domain
/// for this group.
std::vector<std::size_t> choose(const Group& group, std::vector<std::size_t>& domain, int sign,
                                const Centre& centre, std::span<const float> labels, PythonRandom& random) {
  Choice choice;
  for (const std::size_t row : domain) {
    const bool picked = random.uniform() < group.pick_ratio;
    const double draw = random.uniform();
    const LabelSide side = centre.side_of(labels[row], sign);
    if (side != LabelSide::centre) {
      choice.see(side, row, picked && (side == LabelSide::aligned ? draw < group.bias : draw > group.bias));
    }
  }
  auto taken = std::move(choice).balanced();
  const std::unordered_set<std::size_t> gone(taken.begin(), taken.end());
  std::erase_if(domain, [&](std::size_t row) { return gone.contains(row); });
  return taken;
}

std::vector<std::vector<std::size_t>> rows_of_domains(const DomainTable& domains) {
  std::vector<std::vector<std::size_t>> rows(domains.count);
  for (std::size_t row = 0; row < domains.domain_of_row.size(); ++row) {
    rows[domains.domain_of_row[row]].push_back(row);
  }
  return rows;
}

/// +1 for the domains of the first half of the rows, -1 for later domains.
std::vector<int> signs_of(const std::vector<std::vector<std::size_t>>& domains, std::size_t rows) {
  std::vector<int> signs;
  std::size_t passed = 0;
  for (const auto& domain : domains) {
    signs.push_back(2 * passed < rows ? 1 : -1);
    passed += domain.size();
  }
  return signs;
}

void share_training(std::vector<TrainingRow>& training, GoodSplit& split, PythonRandom& random) {
  random.shuffle(training);
  const std::size_t held_out = portion(0.15, training.size());
  const std::size_t kept = training.size() - 2 * held_out;
  for (std::size_t i = 0; i < training.size(); ++i) {
    if (i < kept) {
      split.parts.train.push_back(training[i].row);
      split.train_environment.push_back(training[i].environment);
    } else {
      (i < kept + held_out ? split.parts.iid_val : split.parts.iid_test).push_back(training[i].row);
    }
  }
}

}  // namespace

GoodSplit good_concept_split(const DomainTable& domains, std::span<const float> label_of_row, GoodStyle style,
                             PythonRandom& random) {
  if (label_of_row.empty()) {
    throw InputError("no molecules to split");
  }
  const Centre centre = centre_of(label_of_row, style);
  auto left = rows_of_domains(domains);
  const auto signs = signs_of(left, label_of_row.size());
  GoodSplit split;
  std::vector<TrainingRow> training;
  std::size_t environment = 0;
  for (const Group& group : style == GoodStyle::classes ? kClassGroups : kValueGroups) {
    for (std::size_t domain = 0; domain < left.size(); ++domain) {
      const int sign = group.role == Role::train ? signs[domain] : -signs[domain];
      for (const std::size_t row : choose(group, left[domain], sign, centre, label_of_row, random)) {
        if (group.role == Role::train) {
          training.push_back({row, environment});
        } else {
          split.parts.ood_test.push_back(row);
        }
      }
    }
    environment += group.role == Role::train ? 1 : 0;
  }
  for (const auto& domain : left) {
    split.parts.ood_val.insert(split.parts.ood_val.end(), domain.begin(), domain.end());
    for (std::size_t i = 0; i < 2 * domain.size(); ++i) {
      random.uniform();  // the last group of GOOD draws as well, although it takes every row
    }
  }
  share_training(training, split, random);
  return split;
}

}  // namespace molgauge::datasets
