#include "allocator/recordings/snapshot_pickle.h"

#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/bytes/byte_stream.h"
#include "io/pickle/pickle_opcodes.h"

namespace headroom::allocator {
namespace {

using Kind = SnapshotValue::Kind;

/// The machine that executes the pickle's opcodes.
class SnapshotPickle {
 public:
  SnapshotPickle(io::ByteSource& source, SnapshotTables& tables, const SnapshotLimits& limits)
      : stream_(source), tables_(tables), limits_(limits) {}

  /// Reads to the end of the pickle and returns its value.
  SnapshotValue read();

  /// The offset of the opcode that is being executed.
  std::uint64_t position() const { return position_; }

 private:
  using Opcode = io::PickleOpcode;

  void execute(Opcode opcode);
  bool read_number(Opcode opcode);
  bool read_text(Opcode opcode);
  bool read_container(Opcode opcode);
  bool control(Opcode opcode);

  // Nine of ten opcodes push a value: what follows is short, so that it is compiled into their places.
  bool push(SnapshotValue value) {
    require_room(stack_.size());
    stack_.push_back(value);
    return true;
  }
  bool recall(std::uint64_t number) {
    if (number >= memo_.size()) {
      refuse_recall(number);
    }
    return push(memo_[static_cast<std::size_t>(number)]);
  }
  void require_room(std::size_t count) const {
    if (count >= limits_.values) {
      refuse_more();
    }
  }
  [[noreturn]] void refuse_more() const;
  [[noreturn]] static void refuse_recall(std::uint64_t number);

  bool push_integer(std::int64_t value);
  bool push_long(std::uint64_t count);
  bool push_text(std::uint64_t count);
  bool push_bytes(std::uint64_t count);
  bool push_tuple(std::size_t first);
  bool append_from(std::size_t first);
  bool assign_from(std::size_t first);
  bool remember(std::uint64_t number);
  void check_protocol();

  /// Positions on the stack: of the last mark, which is removed; of the last `count` values.
  std::size_t take_mark();
  std::size_t last(std::size_t count) const;

  io::ByteStream stream_;
  SnapshotTables& tables_;
  SnapshotLimits limits_;
  std::uint64_t position_ = 0;
  std::vector<SnapshotValue> stack_;
  std::vector<std::size_t> marks_;
  ChunkedRows<SnapshotValue> memo_;
};

SnapshotValue SnapshotPickle::read() {
  for (;;) {
    position_ = stream_.position();
    const Opcode opcode{stream_.number<std::uint8_t>()};
    if (opcode == Opcode::stop) {
      return stack_.at(last(1));
    }
    execute(opcode);
  }
}

void SnapshotPickle::execute(Opcode opcode) {
  // The most frequent first: an event refers to its keys in the memo, and strings are written once.
  if (control(opcode) || read_number(opcode) || read_container(opcode) || read_text(opcode)) {
    return;
  }
  switch (opcode) {
    case Opcode::global:
    case Opcode::stack_global:
    case Opcode::reduce:
    case Opcode::object:
    case Opcode::new_object:
    case Opcode::new_object_with_keywords:
    case Opcode::build:
    case Opcode::binary_persistent_id:
      throw InputError("it names or calls code, which a memory snapshot never needs; nothing was executed");
    default:
      throw InputError(
          fmt::format("the opcode {:#04x} is not allowed here; save the file again with pickle "
                      "protocol 2 or later",
                      static_cast<unsigned>(opcode)));
  }
}

bool SnapshotPickle::read_number(Opcode opcode) {
  switch (opcode) {
    case Opcode::none:
      return push({});
    case Opcode::new_true:
      return push({Kind::boolean, 1});
    case Opcode::new_false:
      return push({Kind::boolean, 0});
    case Opcode::binary_int:
      return push_integer(stream_.number<std::int32_t>());
    case Opcode::binary_int1:
      return push_integer(stream_.number<std::uint8_t>());
    case Opcode::binary_int2:
      return push_integer(stream_.number<std::uint16_t>());
    case Opcode::long1:
      return push_long(stream_.number<std::uint8_t>());
    case Opcode::long4:
      return push_long(stream_.number<std::uint32_t>());
    case Opcode::binary_float:
      stream_.take(sizeof(double));
      return push({Kind::other, 0});
    default:
      return false;
  }
}

bool SnapshotPickle::read_text(Opcode opcode) {
  switch (opcode) {
    case Opcode::short_binary_unicode:
    case Opcode::short_binary_string:
      return push_text(stream_.number<std::uint8_t>());
    case Opcode::binary_unicode:
    case Opcode::binary_string:
      return push_text(stream_.number<std::uint32_t>());
    case Opcode::binary_unicode8:
      return push_text(stream_.number<std::uint64_t>());
    case Opcode::short_binary_bytes:
      return push_bytes(stream_.number<std::uint8_t>());
    case Opcode::binary_bytes:
      return push_bytes(stream_.number<std::uint32_t>());
    case Opcode::binary_bytes8:
    case Opcode::bytearray8:
      return push_bytes(stream_.number<std::uint64_t>());
    default:
      return false;
  }
}

bool SnapshotPickle::read_container(Opcode opcode) {
  switch (opcode) {
    case Opcode::empty_list:
    case Opcode::empty_tuple:
    case Opcode::empty_set:
      return push(tables_.sequence({}));
    case Opcode::empty_dict:
      return push(tables_.dictionary());
    case Opcode::tuple1:
      return push_tuple(last(1));
    case Opcode::tuple2:
      return push_tuple(last(2));
    case Opcode::tuple3:
      return push_tuple(last(3));
    case Opcode::tuple:
    case Opcode::list:
    case Opcode::frozen_set:
      return push_tuple(take_mark());
    case Opcode::dict: {
      const std::size_t first = take_mark();
      stack_.insert(stack_.begin() + static_cast<std::ptrdiff_t>(first), tables_.dictionary());
      return assign_from(first + 1);
    }
    case Opcode::append:
      return append_from(last(1));
    case Opcode::appends:
    case Opcode::add_items:
      return append_from(take_mark());
    case Opcode::set_item:
      return assign_from(last(2));
    case Opcode::set_items:
      return assign_from(take_mark());
    default:
      return false;
  }
}

bool SnapshotPickle::control(Opcode opcode) {
  switch (opcode) {
    case Opcode::protocol:
      check_protocol();
      return true;
    case Opcode::frame:
      stream_.number<std::uint64_t>();
      return true;
    case Opcode::mark:
      require_room(marks_.size());
      marks_.push_back(stack_.size());
      return true;
    case Opcode::pop:
      stack_.resize(last(1));
      return true;
    case Opcode::pop_mark:
      stack_.resize(take_mark());
      return true;
    case Opcode::duplicate:
      return push(stack_[last(1)]);
    case Opcode::memoize:
      return remember(memo_.size());
    case Opcode::binary_put:
      return remember(stream_.number<std::uint8_t>());
    case Opcode::long_binary_put:
      return remember(stream_.number<std::uint32_t>());
    case Opcode::binary_get:
      return recall(stream_.number<std::uint8_t>());
    case Opcode::long_binary_get:
      return recall(stream_.number<std::uint32_t>());
    default:
      return false;
  }
}

void SnapshotPickle::check_protocol() {
  const int version = stream_.number<std::uint8_t>();
  if (version < 2 || version > 5) {
    throw InputError(fmt::format("pickle protocol {} is not known; protocols 2 to 5 are", version));
  }
}

void SnapshotPickle::refuse_more() const {
  throw InputError(fmt::format("more than {} values at once", limits_.values));
}

bool SnapshotPickle::push_integer(std::int64_t value) {
  return push({Kind::integer, static_cast<std::uint64_t>(value)});
}

/// Python writes an address above 2^63 as nine bytes with a zero in front.
bool SnapshotPickle::push_long(std::uint64_t count) {
  const std::string_view digits = stream_.take(count);
  const bool is_negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80U) != 0;
  if (digits.size() > 9 || (digits.size() == 9 && digits.back() != '\0')) {
    return push({Kind::other, 0});
  }
  std::uint64_t bits = is_negative ? ~std::uint64_t{0} : 0;
  for (std::size_t i = std::min<std::size_t>(digits.size(), 8); i-- > 0;) {
    bits = bits << 8U | static_cast<unsigned char>(digits[i]);
  }
  return push({Kind::integer, bits});
}

bool SnapshotPickle::push_text(std::uint64_t count) { return push(tables_.text(stream_.take(count))); }

bool SnapshotPickle::push_bytes(std::uint64_t count) {
  stream_.take(count);
  return push({Kind::other, 0});
}

bool SnapshotPickle::push_tuple(std::size_t first) {
  std::vector<SnapshotValue> items(stack_.begin() + static_cast<std::ptrdiff_t>(first), stack_.end());
  stack_.resize(first);
  return push(tables_.sequence(std::move(items)));
}

bool SnapshotPickle::append_from(std::size_t first) {
  if (first == 0) {
    throw InputError("a value is missing on the stack");
  }
  tables_.append(stack_[first - 1], std::span(stack_).subspan(first));
  stack_.resize(first);
  return true;
}

bool SnapshotPickle::assign_from(std::size_t first) {
  if (first == 0) {
    throw InputError("a value is missing on the stack");
  }
  if ((stack_.size() - first) % 2 != 0) {
    throw InputError("a key has no value");
  }
  tables_.assign(stack_[first - 1], std::span(stack_).subspan(first));
  stack_.resize(first);
  return true;
}

/// Picklers number remembered values from 0 on; a gap would waste memory.
bool SnapshotPickle::remember(std::uint64_t number) {
  const SnapshotValue value = stack_[last(1)];
  if (number > memo_.size()) {
    throw InputError(fmt::format("the memo jumps to {} after {} values", number, memo_.size()));
  }
  if (number == memo_.size()) {
    require_room(memo_.size());
    memo_.push_back(value);
  } else {
    memo_[static_cast<std::size_t>(number)] = value;
  }
  return true;
}

void SnapshotPickle::refuse_recall(std::uint64_t number) {
  throw InputError(fmt::format("value {} of the memo is missing", number));
}

std::size_t SnapshotPickle::take_mark() {
  if (marks_.empty()) {
    throw InputError("a mark is missing on the stack");
  }
  const std::size_t place = marks_.back();
  marks_.pop_back();
  return place;
}

/// Values below the last mark belong to the object that set it.
std::size_t SnapshotPickle::last(std::size_t count) const {
  if (stack_.size() - (marks_.empty() ? 0 : marks_.back()) < count) {
    throw InputError("a value is missing on the stack");
  }
  return stack_.size() - count;
}

}  // namespace

SnapshotValue read_snapshot_pickle(io::ByteSource& source, SnapshotTables& tables,
                                   const SnapshotLimits& limits) {
  SnapshotPickle pickle(source, tables, limits);
  try {
    return pickle.read();
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("cannot be read as a memory snapshot (byte {}): {}", pickle.position(), error.what()));
  }
}

}  // namespace headroom::allocator
