#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "headroom/choices.h"
#include "options/file_use.h"
#include "options/group.h"
#include "options/names.h"
#include "options/range.h"

/// The option tables. A row contains all facts about an option. The command line, specifications,
/// config.json, checks and the identities of results read the rows. A new option needs a field of a request,
/// a row and the code that uses the field.
namespace headroom::options {

/// Functions for a field that is a choice (headroom/choices.h) or an optional choice. An optional without a
/// value has an empty word.
struct ChoiceType {
  bool is_optional = false;
  std::string (*read)(const void* field) = nullptr;
  bool (*write)(void* field, std::string_view word) = nullptr;  ///< false if there is no such word
};

/// A pointer to a choice, like `bool*` for a flag.
struct ConstChoiceField {
  const void* field = nullptr;
  const ChoiceType* type = nullptr;

  const ConstChoiceField& operator*() const { return *this; }
  std::string word() const { return type->read(field); }
  bool operator==(const ConstChoiceField& other) const { return word() == other.word(); }
};

struct ChoiceField {
  void* field = nullptr;
  const ChoiceType* type = nullptr;

  const ChoiceField& operator*() const { return *this; }
  std::string word() const { return type->read(field); }
  bool set(std::string_view word) const { return type->write(field, word); }
};

/// A pointer to the field of an option. The alternative of the variant is the type of the option.
using Slot =
    std::variant<bool*, std::size_t*, double*, std::string*, std::optional<std::size_t>*,
                 std::optional<double>*, std::optional<std::string>*, std::vector<std::string>*, ChoiceField>;
using ConstSlot =
    std::variant<const bool*, const std::size_t*, const double*, const std::string*,
                 const std::optional<std::size_t>*, const std::optional<double>*,
                 const std::optional<std::string>*, const std::vector<std::string>*, ConstChoiceField>;

template <typename Field>
inline constexpr bool kIsChoice = false;
template <Choice Enum>
inline constexpr bool kIsChoice<Enum> = true;
template <Choice Enum>
inline constexpr bool kIsChoice<std::optional<Enum>> = true;

/// Returns the words that a field accepts. There are none if the field is not a choice.
template <typename Field>
constexpr Names words_of_field() {
  if constexpr (Choice<Field>) {
    const std::span<const std::string_view> words = kWords<Field>;
    return Names(words.front().empty() ? words.subspan(1) : words);
  } else if constexpr (kIsChoice<Field>) {
    return words_of_field<typename Field::value_type>();
  } else {
    return {};
  }
}

template <Choice Enum>
bool set_word(Enum& value, std::string_view word) {
  const auto found = from_word<Enum>(word);
  value = found.value_or(value);
  return found.has_value();
}
template <Choice Enum>
bool set_word(std::optional<Enum>& value, std::string_view word) {
  value = from_word<Enum>(word);
  return value.has_value() || word.empty();
}

template <typename Field>
inline constexpr ChoiceType kChoiceType = {
    !Choice<Field>, [](const void* field) { return to_string(*static_cast<const Field*>(field)); },
    [](void* field, std::string_view word) { return set_word(*static_cast<Field*>(field), word); }};

template <typename Field>
Slot slot_of(Field& field) {
  if constexpr (kIsChoice<Field>) {
    return ChoiceField{&field, &kChoiceType<Field>};
  } else {
    return &field;
  }
}
template <typename Field>
ConstSlot slot_of(const Field& field) {
  if constexpr (kIsChoice<Field>) {
    return ConstChoiceField{&field, &kChoiceType<Field>};
  } else {
    return &field;
  }
}

/// Finds the field of an option in a request. `request` must point to a request of the verb to which the
/// option belongs.
struct Access {
  Slot (*writable)(void* request) = nullptr;
  ConstSlot (*readable)(const void* request) = nullptr;
  Names words = {};  ///< the words of a choice
};

template <auto first, auto... rest>
constexpr auto& reach(auto& request) {
  if constexpr (sizeof...(rest) == 0) {
    return request.*first;
  } else {
    return reach<rest...>(request.*first);
  }
}

/// The access to a field by a path of members: field<TrainRequest, &TrainRequest::compute,
/// &ComputeOptions::device>.
template <typename Request, auto... path>
inline constexpr Access field = {
    [](void* request) { return slot_of(reach<path...>(*static_cast<Request*>(request))); },
    [](const void* request) { return slot_of(reach<path...>(*static_cast<const Request*>(request))); },
    words_of_field<std::remove_cvref_t<decltype(reach<path...>(std::declval<Request&>()))>>()};

/// A condition for the effect of an option. It refers to the value of another option.
struct Condition {
  std::string_view option = {};  ///< the other option, a text or a flag; empty: no condition
  Names values = {};             ///< values of the other option; none: any value that is not empty
  bool is_wanted = true;         ///< true: the option has an effect only with these values; false: only
                                 ///< without these values
  std::string_view remark =
      {};  ///< for messages: the loss or option that this option belongs to, or the option that replaces it
};

/// The key of an option in config.json of a run folder.
struct ConfigKey {
  std::string_view name = {};  ///< empty: the option is not in config.json
  /// If a folder lacks the key, the option has its default. Earlier versions did not write the key, or
  /// readers have never required it.
  bool may_be_missing = false;
  /// The key is written for people only. Results are reused even if it has another value.
  bool is_remark = false;
};

/// The identity that an option is part of. Results are stored with their identity, and are reused only if the
/// identity is equal.
enum class Part {
  none,        ///< no identity, because no result depends on the option
  training,    ///< the option affects the results of an energy head. A checkpoint must have the same value
  length,      ///< training length of an energy head; a checkpoint may continue with another value
  classifier,  ///< the option affects the results of every baseline
  auc_margin,  ///< the option affects the results of baselines whose classifier maximises the area under the
               ///< curve
  detector,    ///< the option affects the results of every baseline, in addition to its classifier
  draw,        ///< the option affects which molecules are drawn from a benchmark
};

struct Identity {
  Part part = Part::none;
  std::string_view label = {};
  /// Leaves out the default value. Results of versions without the option are then still found.
  bool only_if_changed = false;
};

/// The section of the option in the specification of a matrix.
enum class Section { none, matrix, benchmark, method };

struct Place {
  Section section = Section::none;
  std::string_view key = {};  ///< empty: the name of the option is the key
};

/// The unit of sizes in bytes, which may be given as 24GiB.
inline constexpr std::string_view kBytes = "bytes";

struct Option {
  std::string_view
      name;  ///< name on the command line without dashes ("grad-clip"); in capitals if positional
  Access field;
  Group group = Group::none;
  std::string_view help = {};
  /// The name in earlier versions. The command line accepts it for one release, with a notice.
  std::string_view former_name = {};

  bool is_common = false;  ///< shown by --help. --help-all shows all options
  /// --help shows the option only if this condition is met. Commands accept the option in any case.
  Condition shown_with = {};
  bool is_required = false;
  bool clears = false;      ///< a flag that sets its field to false, such as --restart for the field `resume`
  bool is_in_plan = false;  ///< affects memory, so `headroom memory plan` also has this option
  /// Range of a number. A text with a range is one of `choices` or an integer in the range.
  std::optional<NumericRange> range = {};
  std::string_view unit = {};  ///< unit of a number, for the help: "seconds", "atoms" or kBytes
  Names choices = {};          ///< values of a text; none: the verb checks the value
  Names needs = {}, excludes = {};
  std::array<Condition, 2> conditions = {};

  /// How the verb uses the files of the option.
  FileUse files = {};

  Place specification = {};
  ConfigKey config = {};
  Identity identity = {};

  /// Returns the words that the option accepts. There are none for a number, a flag, or a text that the verb
  /// checks.
  const Names& words() const { return field.words.empty() ? choices : field.words; }
  bool is_positional() const { return name.front() >= 'A' && name.front() <= 'Z'; }
  std::string_view key_in_specification() const {
    return specification.key.empty() ? name : specification.key;
  }
};

/// The options of a request with their values.
struct View {
  std::span<const Option> options;
  const void* request = nullptr;

  ConstSlot slot(const Option& option) const { return option.field.readable(request); }
};

struct MutableView {
  std::span<const Option> options;
  void* request = nullptr;

  Slot slot(const Option& option) const { return option.field.writable(request); }
  operator View() const { return {options, request}; }  // NOLINT(google-explicit-constructor)
};

/// Returns the row with that name, or null.
const Option* find_option(std::span<const Option> options, std::string_view name);

/// Returns the row with that name. Throws std::logic_error if there is none.
const Option& option_named(std::span<const Option> options, std::string_view name);

/// The value as typed on the command line: true, 50, 0.1, dpo. "default" for no value. Lists have commas.
std::string to_text(const ConstSlot& slot);

}  // namespace headroom::options
