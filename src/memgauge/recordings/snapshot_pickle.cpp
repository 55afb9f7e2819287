#include "memgauge/recordings/snapshot_pickle.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/byte_stream.h"
#include "base/io/pickle/pickle_decoder.h"

namespace molgauge::allocator {
namespace {

using Kind = SnapshotValue::Kind;

/// The memo also has the events that are not stored, and their lists of frames.
constexpr std::size_t kMemoForEachValue = 2;

/// Executes a pickle and fills tables with its values.
class SnapshotPickle {
 public:
  SnapshotPickle(io::ByteSource& source, SnapshotTables& tables, const SnapshotLimits& limits)
      : stream_(source), tables_(tables), limits_(limits) {}

  /// Reads to the end of the pickle and returns its value.
  SnapshotValue read() {
    for (;;) {
      position_ = stream_.position();
      const Opcode opcode{stream_.number<std::uint8_t>()};
      if (opcode == Opcode::stop) {
        return stack_.at(last(1));
      }
      if (!io::decode_plain(opcode, *this)) {
        refuse(opcode);
      }
    }
  }

  /// The offset of the opcode that is being executed.
  std::uint64_t position() const { return position_; }

  // The members that decode_plain() calls. Nine of ten opcodes push a value, so these members are inline.

  template <typename Number>
  Number number() {
    return stream_.number<Number>();
  }
  bool push_none() { return push({}); }
  bool push_boolean(bool value) { return push({Kind::boolean, value ? 1U : 0U}); }
  bool push_integer(std::int64_t value) { return push({Kind::integer, static_cast<std::uint64_t>(value)}); }
  bool push_long(std::uint64_t length);
  bool push_float() { return push({Kind::real, __builtin_bswap64(number<std::uint64_t>())}); }
  bool push_text(std::uint64_t length) { return push(tables_.text(stream_.take(length))); }
  bool push_bytes(std::uint64_t length) {
    stream_.take(length);
    return push({Kind::other, 0});
  }
  bool push_container(io::PickleContainer kind, std::size_t position);
  bool append(std::size_t position) {
    taken_has_moved_items_ = false;
    tables_.append(below(position), std::span(stack_).subspan(position));
    return drop(position);
  }
  bool assign(std::size_t position) {
    const SnapshotValue target = below(position);
    if ((stack_.size() - position) % 2 != 0) {
      throw InputError("a key has no value");
    }
    tables_.assign(target, std::span(stack_).subspan(position));
    drop(position);
    move_event_to_trace();
    return true;
  }
  std::size_t take_mark();
  /// The position of the last `count` values. These values must be above the last mark, because values below
  /// the mark belong to an unfinished object.
  std::size_t last(std::size_t count) const {
    if (stack_.size() - (marks_.empty() ? 0 : marks_.back().position) < count) {
      refuse_missing();
    }
    return stack_.size() - count;
  }
  bool drop(std::size_t position) {
    stack_.resize(position);
    return true;
  }
  bool mark() {
    require_room(marks_.size());
    marks_.push_back({stack_.size()});
    return true;
  }
  bool duplicate() { return push(stack_[last(1)]); }
  bool remember(std::uint64_t number);
  bool remember_next() { return remember(memo_.size()); }
  bool recall(std::uint64_t number) {
    if (number >= memo_.size()) {
      refuse_recall(number);
    }
    return push(value_of(memo_[static_cast<std::size_t>(number)]));
  }
  static bool check_frame(std::uint64_t /*length*/) { return true; }

 private:
  using Opcode = io::PickleOpcode;

  /// A position on the stack at which the items of a container begin.
  struct Mark {
    std::size_t position = 0;
    bool has_moved_items = false;  ///< the first items were moved to the list below already
  };
  /// A value of the memo, which may have more values than the file has events.
  struct Remembered {
    std::uint32_t number : 29 = 0;  ///< index of the value in SnapshotTables, or in other_remembered_
    std::uint32_t kind : 3 = 0;     ///< a SnapshotValue::Kind
  };

  /// Moves a finished event to the list of its trace. The stack then never holds all events of a trace.
  void move_event_to_trace();
  SnapshotValue value_of(Remembered one) const {
    const Kind kind{static_cast<std::uint8_t>(one.kind)};
    return kind == Kind::other ? other_remembered_[one.number] : SnapshotValue{kind, one.number};
  }
  Remembered packed(SnapshotValue value);
  bool push(SnapshotValue value) {
    require_room(stack_.size());
    stack_.push_back(value);
    return true;
  }
  void require_room(std::size_t count) const {
    if (count >= limits_.values) {
      refuse_more();
    }
  }
  SnapshotValue below(std::size_t position) const {
    if (position == 0) {
      refuse_missing();
    }
    return stack_[position - 1];
  }
  [[noreturn]] static void refuse(Opcode opcode);
  [[noreturn]] static void refuse_missing() { throw InputError("a value is missing on the stack"); }
  [[noreturn]] void refuse_more() const;
  [[noreturn]] static void refuse_recall(std::uint64_t number);

  io::ByteStream stream_;
  SnapshotTables& tables_;
  SnapshotLimits limits_;
  std::uint64_t position_ = 0;
  std::vector<SnapshotValue> stack_;
  std::vector<Mark> marks_;
  bool taken_has_moved_items_ = false;  ///< of the mark that was taken last
  ChunkedRows<Remembered> memo_;
  std::vector<SnapshotValue> other_remembered_;  ///< neither texts, lists nor dictionaries
};

void SnapshotPickle::refuse(Opcode opcode) {
  switch (opcode) {
    case Opcode::global:
    case Opcode::stack_global:
    case Opcode::reduce:
    case Opcode::object:
    case Opcode::new_object:
    case Opcode::new_object_with_keywords:
    case Opcode::build:
    case Opcode::binary_persistent_id:
      throw InputError("it names or calls code, which a memory snapshot never needs. Nothing was executed");
    default:
      throw io::unknown_opcode(opcode);
  }
}

void SnapshotPickle::refuse_more() const {
  throw InputError(fmt::format("more than {} values at once. Read a part of the trace with --from and --to",
                               limits_.values));
}

void SnapshotPickle::refuse_recall(std::uint64_t number) {
  throw InputError(fmt::format("value {} of the memo is missing", number));
}

/// Python writes an address of 2^63 or more as nine bytes. The most significant byte, which comes last, is
/// zero.
bool SnapshotPickle::push_long(std::uint64_t length) {
  const std::string_view digits = stream_.take(length);
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

void SnapshotPickle::move_event_to_trace() {
  if (marks_.empty()) {
    return;
  }
  Mark& mark = marks_.back();
  const bool is_alone = mark.position > 0 && stack_.size() == mark.position + 1;
  if (is_alone && stack_[mark.position - 1].is(Kind::sequence) && tables_.event(stack_.back()) != nullptr) {
    tables_.append(stack_[mark.position - 1], std::span(stack_).last(1));
    stack_.pop_back();
    mark.has_moved_items = true;
  }
}

bool SnapshotPickle::push_container(io::PickleContainer kind, std::size_t position) {
  if (std::exchange(taken_has_moved_items_, false)) {
    throw InputError("an event of a trace is not in a list");
  }
  if (kind != io::PickleContainer::dict) {
    std::vector<SnapshotValue> items(stack_.begin() + static_cast<std::ptrdiff_t>(position), stack_.end());
    stack_.resize(position);
    return push(tables_.sequence(std::move(items)));
  }
  if (position == stack_.size()) {
    return push(tables_.dictionary());
  }
  stack_.insert(stack_.begin() + static_cast<std::ptrdiff_t>(position), tables_.dictionary());
  return assign(position + 1);
}

/// Stores a value under its memo number. Picklers use the numbers from 0 on without gaps. A gap would waste
/// memory, so it is refused.
bool SnapshotPickle::remember(std::uint64_t number) {
  const SnapshotValue value = stack_[last(1)];
  if (number > memo_.size()) {
    throw InputError(fmt::format("the memo jumps to {} after {} values", number, memo_.size()));
  }
  if (number < memo_.size()) {
    memo_[static_cast<std::size_t>(number)] = packed(value);
    return true;
  }
  require_room(memo_.size() / kMemoForEachValue);
  memo_.push_back(packed(value));
  return true;
}

SnapshotPickle::Remembered SnapshotPickle::packed(SnapshotValue value) {
  if (value.is(Kind::text) || value.is(Kind::sequence) || value.is(Kind::dictionary)) {
    return {static_cast<std::uint32_t>(value.bits), static_cast<std::uint32_t>(value.kind)};
  }
  require_room(other_remembered_.size());
  other_remembered_.push_back(value);
  return {static_cast<std::uint32_t>(other_remembered_.size() - 1), static_cast<std::uint32_t>(Kind::other)};
}

std::size_t SnapshotPickle::take_mark() {
  if (marks_.empty()) {
    throw InputError("a mark is missing on the stack");
  }
  const Mark mark = marks_.back();
  marks_.pop_back();
  taken_has_moved_items_ = mark.has_moved_items;
  return mark.position;
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

}  // namespace molgauge::allocator
