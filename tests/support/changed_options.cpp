#include "support/changed_options.h"

#include <algorithm>

namespace molgauge::test {
namespace {

void change_value(bool& value, const options::Option& /*option*/) { value = !value; }

/// Adds or subtracts an even number, because the width of a hidden layer must stay even.
void change_value(std::size_t& value, const options::Option& option) {
  value = !option.range || option.range->holds(std::uint64_t{value + 2}) ? value + 2 : value - 2;
}

void change_value(double& value, const options::Option& option) {
  const double halved = value == 0 ? 0.25 : value / 2;
  value = !option.range || option.range->holds(halved) ? halved : value + 1;
}

void change_value(std::string& value, const options::Option& option) {
  if (option.range) {
    value = "4";
  } else if (option.choices.empty()) {
    value += "other";
  } else {
    value = *std::find_if(option.choices.begin(), option.choices.end(),
                          [&](std::string_view choice) { return choice != value; });
  }
}

void change_value(const options::ChoiceField& value, const options::Option& option) {
  value.set(*std::find_if(option.words().begin(), option.words().end(),
                          [&](std::string_view word) { return word != value.word(); }));
}

template <typename Number>
void change_value(std::optional<Number>& value, const options::Option& option) {
  Number number = value.value_or(Number{});
  change_value(number, option);
  value = number;
}

void change_value(std::vector<std::string>& value, const options::Option& /*option*/) {
  value.emplace_back("other");
}

}  // namespace

void change(const options::Option& option, const options::MutableView& request) {
  std::visit([&](const auto& value) { change_value(*value, option); }, request.slot(option));
}

void make_effective(const options::Option& option, const options::MutableView& request) {
  for (const options::Condition& condition : option.conditions) {
    if (condition.option.empty()) {
      continue;
    }
    const options::Slot slot = request.slot(option_named(request.options, condition.option));
    if (auto* const* const flag = std::get_if<bool*>(&slot)) {
      **flag = condition.is_wanted;
    } else if (const auto* const choice = std::get_if<options::ChoiceField>(&slot)) {
      choice->set(condition.is_wanted ? *condition.values.begin() : choice->word());
    } else if (condition.is_wanted) {
      *std::get<std::string*>(slot) =
          condition.values.empty() ? "something" : std::string(*condition.values.begin());
    }
  }
}

}  // namespace molgauge::test
