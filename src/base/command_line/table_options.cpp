#include "base/command_line/table_options.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/command_line/option_values.h"
#include "base/command_line/options_json.h"
#include "base/core/error.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/bytes.h"
#include "base/core/text/nearest_name.h"
#include "base/options/settings.h"

namespace molgauge::cli {
namespace {

std::string typed(std::string_view name) { return fmt::format("--{}", name); }

/// Accepts one of the choices of the option, or a number in its range.
CLI::Validator word_or_number(const options::Option& option) {
  return {[&option](std::string& text) {
            const auto problem = options::out_of_range(option, &std::as_const(text));
            return problem.value_or("");
          },
          fmt::format("{{{}}} or {}", fmt::join(option.choices, ","), option.range->interval())};
}

/// Accepts only the choices of the option. For any other text, the message suggests the most similar choice.
CLI::Validator known_word(const options::Option& option) {
  const std::vector<std::string> words(option.words().begin(), option.words().end());
  const std::string list = fmt::format("{{{}}}", fmt::join(words, ","));
  return {[words, list](std::string& text) {
            const bool is_known = std::find(words.begin(), words.end(), text) != words.end();
            return is_known ? "" : fmt::format("{} not in {}{}", text, list, did_you_mean(text, words));
          },
          list};
}

/// Adds an option to a command. The type of the field decides how the value is parsed.
class OptionAdder {
 public:
  OptionAdder(CLI::App& command, const options::Option& option, std::string_view name)
      : command_(command), option_(option), name_(name) {}

  CLI::Option* operator()(bool* field) {
    return option_.clears ? command_.add_flag_callback(
                                typed(name_), [field] { *field = false; }, help())
                          : command_.add_flag(typed(name_), *field, help());
  }

  CLI::Option* operator()(std::string* field) {
    CLI::Option* const added = add(*field);
    if (!field->empty()) {
      added->capture_default_str();
    }
    if (option_.range) {
      added->check(word_or_number(option_));
    }
    return added;
  }

  CLI::Option* operator()(const options::ChoiceField& field) {
    CLI::Option* const added = command_.add_option_function<std::string>(
        typed(name_), [field](const std::string& word) { field.set(word); }, help());
    return added->default_str(field.word())->check(known_word(option_));
  }

  CLI::Option* operator()(std::optional<std::string>* field) { return add(*field); }

  /// A positional argument takes all remaining words. An option with a name takes one value and can be
  /// repeated.
  CLI::Option* operator()(std::vector<std::string>* field) {
    return add(*field)->allow_extra_args(option_.is_positional());
  }

  template <typename Number>
  CLI::Option* operator()(Number* field) {
    if (option_.unit == options::kBytes) {
      return add_bytes(field);
    }
    CLI::Option* const added = add(*field);
    if constexpr (std::is_arithmetic_v<Number>) {
      added->capture_default_str();
    }
    check_range(*added, option_.range.value(), option_.unit);
    return added;
  }

 private:
  std::string help() const { return std::string(option_.help); }

  CLI::Option* add(auto& field) {
    return command_.add_option(option_.is_positional() ? std::string(name_) : typed(name_), field, help());
  }

  /// Adds an option for a size such as 24GiB.
  CLI::Option* add_bytes(auto* field) {
    return command_
        .add_option_function<std::string>(
            typed(name_), [field](const std::string& text) { *field = parse_bytes(text); }, help())
        ->check(CLI::Validator(
            [&option = option_](std::string& text) {
              try {
                return option.range->holds(parse_bytes(text))
                           ? std::string()
                           : text + " is out of range. Give a size such as 24GiB";
              } catch (const UsageError& problem) {
                return std::string(problem.what());
              }
            },
            "bytes"));
  }

  CLI::App& command_;
  const options::Option& option_;
  std::string_view name_;
};

void add_option(CLI::App& command, const options::Option& option, const options::MutableView& request) {
  CLI::Option* const added = std::visit(OptionAdder(command, option, option.name), request.slot(option));
  added->required(option.is_required);
  if (!option.is_positional()) {
    put_in(added, option.group);
  }
}

/// Tells CLI11 which other options the option needs or excludes.
void relate(CLI::App& command, const options::Option& option) {
  CLI::Option* const own = command.get_option_no_throw(typed(option.name));
  const auto each = [&](const options::Names& names, auto&& use) {
    for (const std::string_view name : names) {
      if (CLI::Option* const other = command.get_option_no_throw(typed(name));
          own != nullptr && other != nullptr) {
        use(other);
      }
    }
  };
  each(option.needs, [&](CLI::Option* other) { own->needs(other); });
  each(option.excludes, [&](CLI::Option* other) { own->excludes(other); });
}

template <typename Wanted>
void add_rows(CLI::App& command, const options::MutableView& request, Wanted is_wanted) {
  for (const options::Option& option : request.options) {
    if (is_wanted(option)) {
      add_option(command, option, request);
    }
  }
  for (const options::Option& option : request.options) {
    relate(command, option);
  }
}

bool is_given(const CLI::App& command, std::string_view name) {
  const CLI::Option* const option = command.get_option_no_throw(typed(name));
  return option != nullptr && option->count() > 0;
}

/// Returns the choice that meets the condition, such as "--encoder unimol". Returns an empty text if the
/// condition is that another option is absent.
std::string choice(const options::Condition& condition) {
  if (!condition.is_wanted) {
    return "";
  }
  return condition.values.empty() ? typed(condition.option)
                                  : fmt::format("{} {}", typed(condition.option), *condition.values.begin());
}

/// Whether --help shows an option. If another choice would show the option, adds this choice to `choices`.
bool is_shown(const CLI::App& command, const options::View& request, const options::Option& option,
              std::vector<std::string>& choices) {
  const options::Condition* broken = options::broken_condition(request, option);
  if (broken == nullptr && options::is_broken(request, option.shown_with)) {
    broken = &option.shown_with;
  }
  if (broken != nullptr) {
    if (const std::string text = choice(*broken);
        !text.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
      choices.push_back(text);
    }
    return false;
  }
  const auto decides = [&](const options::Condition& condition) {
    return condition.is_wanted && is_given(command, condition.option);
  };
  return option.is_common || decides(option.shown_with) ||
         std::any_of(option.conditions.begin(), option.conditions.end(), decides) ||
         std::any_of(option.needs.begin(), option.needs.end(),
                     [&](std::string_view name) { return is_given(command, name); });
}

}  // namespace

void put_in(CLI::Option* option, options::Group group) { option->group(std::string(options::title(group))); }

HiddenOptions hidden_options(const CLI::App& command) {
  HiddenOptions hidden;
  for (const auto& [request, in_plan_only] : tables_of(command)) {
    for (const options::Option& option : request.options) {
      const CLI::Option* const own = command.get_option_no_throw(typed(option.name));
      if (own != nullptr && !is_shown(command, request, option, hidden.choices)) {
        hidden.options.insert(own);
      }
    }
  }
  if (const CLI::Option* const level = command.get_option_no_throw("--log-level");
      level != nullptr && !hidden.options.empty()) {
    hidden.options.insert(level);
  }
  return hidden;
}

void add_options(CLI::App& command, const options::MutableView& request) {
  add_rows(command, request, [](const options::Option&) { return true; });
  note_table(command, request, false);
}

void add_options_of_plan(CLI::App& command, const options::MutableView& request) {
  add_rows(command, request, [](const options::Option& option) { return option.is_in_plan; });
  note_table(command, request, true);
}

void refuse_options_without_effect(const CLI::App& command, const options::View& request) {
  for (const options::Option& option : request.options) {
    const options::Condition* const broken = options::broken_condition(request, option);
    const CLI::Option* const own = command.get_option_no_throw(typed(option.name));
    if (broken != nullptr && own != nullptr && own->count() > 0) {
      throw UsageError(fmt::format("--{} {}", option.name, options::explain(request, *broken, "--")));
    }
  }
}

}  // namespace molgauge::cli
