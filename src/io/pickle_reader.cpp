#include "io/pickle_reader.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include <fmt/format.h>

#include "core/error.h"
#include "io/little_endian.h"
#include "io/pickle_opcodes.h"

namespace headroom::io {

// The pickle machine: a stack of values with marks in it, and a memo of values by number.
class PickleReader {
 public:
  PickleReader(std::span<const std::byte> bytes, const std::string& source, const PickleLimits& limits)
      : bytes_(bytes), source_(source), limits_(limits) {}

  PickleDocument read() {
    while (document_.root_ == nullptr) {
      opcode_at_ = at_;
      execute(PickleOpcode{number<std::uint8_t>()});
    }
    return std::move(document_);
  }

 private:
  using Opcode = PickleOpcode;
  using Entries = std::vector<std::pair<PickleRef, PickleRef>>;

  void execute(Opcode opcode) {
    if (!read_scalar(opcode) && !read_container(opcode) && !read_object(opcode) && !control(opcode)) {
      fail(fmt::format(
          "the opcode 0x{:02x} is not allowed here; save the file again with pickle protocol 2 or later",
          static_cast<unsigned>(opcode)));
    }
  }

  bool read_scalar(Opcode opcode) {
    switch (opcode) {
      case Opcode::none:
        return push(PickleNone{});
      case Opcode::new_true:
        return push(true);
      case Opcode::new_false:
        return push(false);
      case Opcode::binary_int:
        return push(std::int64_t{number<std::int32_t>()});
      case Opcode::binary_int1:
        return push(std::int64_t{number<std::uint8_t>()});
      case Opcode::binary_int2:
        return push(std::int64_t{number<std::uint16_t>()});
      case Opcode::long1:
        return push_long(number<std::uint8_t>());
      case Opcode::long4:
        return push_long(number<std::uint32_t>());
      case Opcode::binary_float:
        return push(std::bit_cast<double>(__builtin_bswap64(number<std::uint64_t>())));
      case Opcode::short_binary_unicode:
        return push(text<std::uint8_t>());
      case Opcode::binary_unicode:
        return push(text<std::uint32_t>());
      case Opcode::binary_unicode8:
        return push(text<std::uint64_t>());
      case Opcode::short_binary_string:  // Python 2's str; its text is what is wanted
        return push(text<std::uint8_t>());
      case Opcode::binary_string:
        return push(text<std::uint32_t>());
      case Opcode::short_binary_bytes:
        return push(PickleBytes{text<std::uint8_t>()});
      case Opcode::binary_bytes:
        return push(PickleBytes{text<std::uint32_t>()});
      case Opcode::binary_bytes8:
      case Opcode::bytearray8:
        return push(PickleBytes{text<std::uint64_t>()});
      default:
        return false;
    }
  }

  bool read_container(Opcode opcode) {
    switch (opcode) {
      case Opcode::empty_list:
        return push(PickleList{});
      case Opcode::empty_dict:
        return push(PickleDict{});
      case Opcode::empty_set:
        return push(PickleSet{});
      case Opcode::empty_tuple:
        return push(PickleTuple{});
      case Opcode::tuple1:
        return push(PickleTuple{pop_last(1)});
      case Opcode::tuple2:
        return push(PickleTuple{pop_last(2)});
      case Opcode::tuple3:
        return push(PickleTuple{pop_last(3)});
      case Opcode::tuple:
        return push(PickleTuple{pop_to_mark()});
      case Opcode::list:
        return push(PickleList{pop_to_mark()});
      case Opcode::frozen_set:
        return push(PickleSet{pop_to_mark()});
      case Opcode::dict:
        return push(PickleDict{pairs(pop_to_mark())});
      case Opcode::append:
        return append(pop_last(1));
      case Opcode::appends:
      case Opcode::add_items:
        return append(pop_to_mark());
      case Opcode::set_item:
        return assign(pairs(pop_last(2)));
      case Opcode::set_items:
        return assign(pairs(pop_to_mark()));
      default:
        return false;
    }
  }

  bool read_object(Opcode opcode) {
    switch (opcode) {
      case Opcode::global: {
        std::string module = line();
        return push(PickleGlobal{std::move(module), line()});
      }
      case Opcode::stack_global: {
        const auto names = pop_last(2);
        const auto *module = names[0]->as<std::string>(), *name = names[1]->as<std::string>();
        if (module == nullptr || name == nullptr) {
          fail("the name of a class is no text");
        }
        return push(PickleGlobal{*module, *name});
      }
      case Opcode::reduce:
      case Opcode::new_object: {
        const auto call = pop_last(2);
        return push(PickleObject{call[0], call[1], nullptr, {}, {}});
      }
      case Opcode::new_object_with_keywords: {
        const auto call = pop_last(3);
        return push(PickleObject{call[0], call[1], call[2], {}, {}});
      }
      case Opcode::object: {
        auto call = pop_to_mark();
        if (call.empty()) {
          fail("a class is missing");
        }
        const PickleRef callable = call.front();
        call.erase(call.begin());
        push(PickleTuple{std::move(call)});
        return push(PickleObject{callable, pop_last(1).front(), nullptr, {}, {}});
      }
      case Opcode::build: {
        const PickleRef state = pop_last(1).front();
        // State set on anything but an object described here changes nothing that could be read.
        if (auto* object = std::get_if<PickleObject>(&top().value)) {
          object->state = state;
        }
        return true;
      }
      case Opcode::binary_persistent_id:
        return push(PicklePersistent{pop_last(1).front()});
      default:
        return false;
    }
  }

  bool control(Opcode opcode) {
    switch (opcode) {
      case Opcode::protocol:
        if (const int version = number<std::uint8_t>(); version < 2 || version > 5) {
          fail(fmt::format("pickle protocol {} is not known; protocols 2 to 5 are", version));
        }
        return true;
      case Opcode::frame:
        take(number<std::uint64_t>(), false);
        return true;
      case Opcode::mark:
        if (marks_.size() >= limits_.stack) {
          fail("more marks are open than are allowed");
        }
        marks_.push_back(stack_.size());
        return true;
      case Opcode::pop:
        pop_last(1);
        return true;
      case Opcode::pop_mark:
        pop_to_mark();
        return true;
      case Opcode::duplicate:
        return push_again(&top());
      case Opcode::memoize:
        return remember(memo_.size());
      case Opcode::binary_put:
        return remember(number<std::uint8_t>());
      case Opcode::long_binary_put:
        return remember(number<std::uint32_t>());
      case Opcode::binary_get:
        return recall(number<std::uint8_t>());
      case Opcode::long_binary_get:
        return recall(number<std::uint32_t>());
      case Opcode::stop:
        document_.root_ = pop_last(1).front();
        return true;
      default:
        return false;
    }
  }

  // --- input ---

  // The next `count` bytes; with `consume` false only checks that they are there.
  std::string_view take(std::uint64_t count, bool consume = true) {
    if (count > bytes_.size() - at_) {
      fail("the pickle ends too early; the file is truncated or damaged");
    }
    const std::string_view taken(reinterpret_cast<const char*>(bytes_.data()) + at_,
                                 static_cast<std::size_t>(count));
    at_ += consume ? taken.size() : 0;
    return taken;
  }

  template <typename Number>
  Number number() {
    return load_little_endian<Number>(reinterpret_cast<const std::byte*>(take(sizeof(Number)).data()));
  }

  template <typename Length>
  std::string text() {
    return std::string(take(number<Length>()));
  }

  std::string line() {
    const std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + at_, bytes_.size() - at_);
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      fail("the pickle ends too early; the file is truncated or damaged");
    }
    at_ += end + 1;
    return std::string(rest.substr(0, end));
  }

  bool push_long(std::uint64_t count) {
    std::string digits(take(count));
    if (digits.size() > sizeof(std::int64_t)) {
      return push(PickleLongInteger{std::move(digits)});
    }
    const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80u) != 0;
    digits.resize(sizeof(std::int64_t), negative ? '\xff' : '\0');
    return push(load_little_endian<std::int64_t>(reinterpret_cast<const std::byte*>(digits.data())));
  }

  // --- stack and memo ---

  bool push(PickleValue value) {
    if (document_.nodes_.size() >= limits_.values) {
      fail("more values than are allowed");
    }
    document_.nodes_.push_back({std::move(value)});
    return push_again(&document_.nodes_.back());
  }

  bool push_again(PickleNode* node) {
    if (stack_.size() >= limits_.stack) {
      fail("the stack is deeper than is allowed");
    }
    stack_.push_back(node);
    return true;
  }

  // Values below the last mark belong to whoever set the mark.
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  PickleNode& top() {
    if (stack_.size() <= floor()) {
      fail("a value is missing on the stack");
    }
    return *stack_.back();
  }

  std::vector<PickleRef> pop_last(std::size_t count) {
    if (stack_.size() - floor() < count) {
      fail("a value is missing on the stack");
    }
    return pop_from(stack_.size() - count);
  }

  std::vector<PickleRef> pop_to_mark() {
    if (marks_.empty()) {
      fail("a mark is missing on the stack");
    }
    const std::size_t start = marks_.back();
    marks_.pop_back();
    return pop_from(start);
  }

  std::vector<PickleRef> pop_from(std::size_t start) {
    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(start);
    std::vector<PickleRef> values(first, stack_.end());
    stack_.erase(first, stack_.end());
    return values;
  }

  Entries pairs(const std::vector<PickleRef>& values) const {
    if (values.size() % 2 != 0) {
      fail("a key has no value");
    }
    Entries entries;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      entries.emplace_back(values[i], values[i + 1]);
    }
    return entries;
  }

  bool append(const std::vector<PickleRef>& values) {
    auto* items = std::visit(
        [](auto& target) -> std::vector<PickleRef>* {
          using Kind = std::decay_t<decltype(target)>;
          if constexpr (std::is_same_v<Kind, PickleList> || std::is_same_v<Kind, PickleSet> ||
                        std::is_same_v<Kind, PickleObject>) {
            return &target.items;
          }
          return nullptr;
        },
        top().value);
    if (items == nullptr) {
      fail("items are appended to something that is no list");
    }
    items->insert(items->end(), values.begin(), values.end());
    return true;
  }

  bool assign(const Entries& added) {
    PickleValue& target = top().value;
    Entries* entries = nullptr;
    if (auto* dict = std::get_if<PickleDict>(&target)) {
      entries = &dict->entries;
    } else if (auto* object = std::get_if<PickleObject>(&target)) {
      entries = &object->entries;
    } else {
      fail("entries are put into something that is no dict");
    }
    entries->insert(entries->end(), added.begin(), added.end());
    return true;
  }

  bool remember(std::uint64_t number) {
    PickleNode* value = &top();
    if (memo_.size() >= limits_.memo) {
      fail("the memo is larger than is allowed");
    }
    memo_[number] = value;
    return true;
  }

  bool recall(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) {
      fail(fmt::format("value {} of the memo is missing", number));
    }
    return push_again(found->second);
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(
        fmt::format("{}: cannot be read as a pickle (byte {}): {}", source_, opcode_at_, reason));
  }

  std::span<const std::byte> bytes_;
  const std::string& source_;
  const PickleLimits& limits_;
  std::size_t at_ = 0, opcode_at_ = 0;
  PickleDocument document_;
  std::vector<PickleNode*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleNode*> memo_;
};

PickleDocument read_pickle(std::span<const std::byte> bytes, const std::string& source,
                           const PickleLimits& limits) {
  return PickleReader(bytes, source, limits).read();
}

}  // namespace headroom::io
