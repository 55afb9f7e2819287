#include "base/io/pickle/pickle_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/io/bytes/little_endian.h"
#include "base/io/bytes/random_access.h"
#include "base/io/pickle/pickle_decoder.h"
#include "base/io/pickle/pickle_stack.h"
#include "base/io/pickle/pickle_value.h"

namespace molgauge::io {

/// The bytes of a pickle, read in sequence through a window of the file. If a read fails, throws InputError
/// that contains only the reason. The caller adds the position.
class PickleInput {
 public:
  /// `file` must outlive the input.
  explicit PickleInput(const RandomAccess& file) : file_(file) {}

  std::uint64_t position() const { return position_; }

  /// Throws InputError if fewer than `count` bytes are left.
  void require(std::uint64_t count) const;

  template <typename Number>
  Number number() {
    std::array<std::byte, sizeof(Number)> bytes;
    take(bytes);
    return load_little_endian<Number>(bytes.data());
  }

  std::string text_of(std::uint64_t length);

  /// Skips bytes without reading them into memory. Returns their position and length.
  PickleBytes pass_over(std::uint64_t length);

  /// Returns the text up to a line feed, and skips the line feed.
  std::string line();

 private:
  void take(std::span<std::byte> target);
  /// Returns the bytes of the window from position() on. At its end, reads the next window.
  std::span<const std::byte> window();

  const RandomAccess& file_;
  std::uint64_t position_ = 0;
  std::uint64_t window_start_ = 0;
  std::vector<std::byte> window_;
};

constexpr std::uint64_t kWindowBytes = 1 << 16;
/// Maximum length of the name of a class. Only names of classes end with a line feed.
constexpr std::size_t kLongestLine = 4096;

void PickleInput::require(std::uint64_t count) const {
  if (count > file_.size() - position_) {
    throw InputError("the pickle ends too early. The file is truncated or damaged");
  }
}

std::string PickleInput::text_of(std::uint64_t length) {
  require(length);
  std::string text(static_cast<std::size_t>(length), '\0');
  take(std::as_writable_bytes(std::span(text)));
  return text;
}

std::string PickleInput::line() {
  std::string text;
  for (char next = 0; (next = static_cast<char>(number<std::uint8_t>())) != '\n'; text += next) {
    if (text.size() == kLongestLine) {
      throw InputError("the name of a class does not end");
    }
  }
  return text;
}

void PickleInput::take(std::span<std::byte> target) {
  require(target.size());
  while (!target.empty()) {
    const auto available = window();
    const std::size_t count = std::min(available.size(), target.size());
    std::memcpy(target.data(), available.data(), count);
    position_ += count;
    target = target.subspan(count);
  }
}

PickleBytes PickleInput::pass_over(std::uint64_t length) {
  require(length);
  const PickleBytes passed{position_, length};
  position_ += length;
  return passed;
}

std::span<const std::byte> PickleInput::window() {
  if (position_ < window_start_ || position_ - window_start_ >= window_.size()) {
    window_.resize(static_cast<std::size_t>(std::min(kWindowBytes, file_.size() - position_)));
    file_.read(position_, window_);
    window_start_ = position_;
  }
  return std::span(window_).subspan(static_cast<std::size_t>(position_ - window_start_));
}

/// Keeps a tree of all values.
class PickleReader {
 public:
  PickleReader(const RandomAccess& file, const PickleLimits& limits) : input_(file), stack_(limits) {}

  PickleDocument read(const std::string& source) {
    std::uint64_t opcode_position = 0, opcodes = 0;
    try {
      while (root_ == nullptr) {
        opcode_position = input_.position();
        if (++opcodes % 4096 == 0) {
          throw_if_cancelled();
        }
        execute(PickleOpcode{input_.number<std::uint8_t>()});
      }
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("{}: cannot be read as a pickle (byte {}): {}", source, opcode_position, error.what()));
    }
    PickleDocument document;
    document.nodes_ = stack_.release();
    document.root_ = root_;
    return document;
  }

  // The members that decode_plain() calls.

  template <typename Number>
  Number number() {
    return input_.number<Number>();
  }
  bool push_none() { return push(PickleNone{}); }
  bool push_boolean(bool value) { return push(value); }
  bool push_integer(std::int64_t value) { return push(value); }
  bool push_long(std::uint64_t length) {
    std::string digits = input_.text_of(length);
    if (digits.size() > sizeof(std::int64_t)) {
      return push(PickleLongInteger{std::move(digits)});
    }
    const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80u) != 0;
    digits.resize(sizeof(std::int64_t), negative ? '\xff' : '\0');
    return push(load_little_endian<std::int64_t>(reinterpret_cast<const std::byte*>(digits.data())));
  }
  bool push_float() { return push(std::bit_cast<double>(__builtin_bswap64(number<std::uint64_t>()))); }
  bool push_text(std::uint64_t length) { return push(input_.text_of(length)); }
  bool push_bytes(std::uint64_t length) { return push(input_.pass_over(length)); }
  bool push_container(PickleContainer kind, std::size_t position) {
    std::vector<PickleRef> values = stack_.pop_from(position);
    switch (kind) {
      case PickleContainer::list:
        return push(PickleList{std::move(values)});
      case PickleContainer::tuple:
        return push(PickleTuple{std::move(values)});
      case PickleContainer::set:
        return push(PickleSet{std::move(values)});
      default:
        return push(PickleDict{pairs(values)});
    }
  }
  bool append(std::size_t position) {
    const std::vector<PickleRef> values = stack_.pop_from(position);
    auto* items = std::visit(
        [](auto& target) -> std::vector<PickleRef>* {
          using Kind = std::decay_t<decltype(target)>;
          if constexpr (std::is_same_v<Kind, PickleList> || std::is_same_v<Kind, PickleSet> ||
                        std::is_same_v<Kind, PickleObject>) {
            return &target.items;
          }
          return nullptr;
        },
        stack_.top().value);
    if (items == nullptr) {
      throw InputError("items are appended to something that is not a list");
    }
    items->insert(items->end(), values.begin(), values.end());
    return true;
  }

  bool assign(std::size_t position) {
    const Entries added = pairs(stack_.pop_from(position));
    PickleValue& target = stack_.top().value;
    Entries* entries = nullptr;
    if (auto* dict = std::get_if<PickleDict>(&target)) {
      entries = &dict->entries;
    } else if (auto* object = std::get_if<PickleObject>(&target)) {
      entries = &object->entries;
    } else {
      throw InputError("entries are put into something that is not a dict");
    }
    entries->insert(entries->end(), added.begin(), added.end());
    return true;
  }
  std::size_t take_mark() { return stack_.take_mark(); }
  std::size_t last(std::size_t count) const { return stack_.last(count); }
  bool drop(std::size_t position) {
    stack_.pop_from(position);
    return true;
  }
  bool mark() { return stack_.mark(); }
  bool duplicate() { return stack_.push_again(&stack_.top()); }
  bool remember(std::uint64_t number) { return stack_.remember(number); }
  bool remember_next() { return stack_.remember_next(); }
  bool recall(std::uint64_t number) { return stack_.recall(number); }
  bool check_frame(std::uint64_t length) const {
    input_.require(length);
    return true;
  }

 private:
  using Opcode = PickleOpcode;
  using Entries = std::vector<std::pair<PickleRef, PickleRef>>;

  void execute(Opcode opcode) {
    if (opcode == Opcode::stop) {
      root_ = stack_.pop(1).front();
    } else if (!decode_plain(opcode, *this) && !read_object(opcode)) {
      throw unknown_opcode(opcode);
    }
  }

  bool read_object(Opcode opcode) {
    switch (opcode) {
      case Opcode::global: {
        std::string module = input_.line();
        return push(PickleGlobal{std::move(module), input_.line()});
      }
      case Opcode::stack_global: {
        const auto names = stack_.pop(2);
        const auto *module = names[0]->as<std::string>(), *name = names[1]->as<std::string>();
        if (module == nullptr || name == nullptr) {
          throw InputError("the name of a class is not a text");
        }
        stack_.count(module->size() + name->size());  // before the copies are made
        return push(PickleGlobal{*module, *name});
      }
      case Opcode::reduce:
      case Opcode::new_object: {
        const auto call = stack_.pop(2);
        return push(PickleObject{call[0], call[1], nullptr, {}, {}});
      }
      case Opcode::new_object_with_keywords: {
        const auto call = stack_.pop(3);
        return push(PickleObject{call[0], call[1], call[2], {}, {}});
      }
      case Opcode::object: {
        auto call = stack_.pop_from(stack_.take_mark());
        if (call.empty()) {
          throw InputError("a class is missing");
        }
        const PickleRef callable = call.front();
        call.erase(call.begin());
        push(PickleTuple{std::move(call)});
        return push(PickleObject{callable, stack_.pop(1).front(), nullptr, {}, {}});
      }
      case Opcode::build: {
        const PickleRef state = stack_.pop(1).front();
        // Only a PickleObject can store its state. The state of other values is ignored.
        if (auto* object = std::get_if<PickleObject>(&stack_.top().value)) {
          object->state = state;
        }
        return true;
      }
      case Opcode::binary_persistent_id:
        return push(PicklePersistent{stack_.pop(1).front()});
      default:
        return false;
    }
  }

  bool push(PickleValue value) { return stack_.push(std::move(value)); }

  static Entries pairs(const std::vector<PickleRef>& values) {
    if (values.size() % 2 != 0) {
      throw InputError("a key has no value");
    }
    Entries entries;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      entries.emplace_back(values[i], values[i + 1]);
    }
    return entries;
  }

  PickleInput input_;
  PickleStack stack_;
  PickleRef root_ = nullptr;
};

PickleDocument read_pickle(const RandomAccess& file, const PickleLimits& limits) {
  return PickleReader(file, limits).read(file.name());
}

}  // namespace molgauge::io
