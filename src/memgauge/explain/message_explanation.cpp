#include "memgauge/explain/message_explanation.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_text.h"
#include "base/core/text/bytes.h"
#include "memgauge/explain/message_search.h"
#include "memgauge/explain/message_verdict.h"

namespace molgauge::allocator {

const char* name_of(MessageCause cause) {
  switch (cause) {
    case MessageCause::fragmented:
      return "fragmented";
    case MessageCause::too_much:
      return "too_much";
    case MessageCause::other_processes:
      return "other_processes";
    case MessageCause::idle_contexts:
      return "idle_contexts";
    case MessageCause::memory_fraction:
      return "memory_fraction";
    case MessageCause::impossible:
      return "impossible";
    case MessageCause::buffer_limit:
      return "buffer_limit";
    case MessageCause::refused_with_room:
      return "refused_with_room";
    case MessageCause::outside_allocator:
      return "outside_allocator";
    case MessageCause::serving_cache:
      return "serving_cache";
    case MessageCause::host:
      return "host";
    case MessageCause::killed:
      return "killed";
    case MessageCause::shared_memory:
      return "shared_memory";
    case MessageCause::unclear:
      return "unclear";
    case MessageCause::no_numbers:
      break;
  }
  return "no_numbers";
}

const char* name_of(MessagePlatform platform) {
  switch (platform) {
    case MessagePlatform::rocm:
      return "ROCm";
    case MessagePlatform::xpu:
      return "XPU";
    case MessagePlatform::mps:
      return "MPS";
    case MessagePlatform::host:
      return "CPU";
    case MessagePlatform::cuda:
      break;
  }
  return "CUDA";
}

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMessageVersion = 1;

Json number(const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(nullptr); }

/// The program that ran out of memory, or PyTorch.
std::string writer_of(const OutOfMemoryMessage& message) {
  return message.source == MessageSource::library || message.library.empty() ? "PyTorch" : message.library;
}

/// An explained message, and the remaining messages of its text.
struct Explained {
  OutOfMemoryMessage message;
  MessageVerdict verdict;
  std::vector<OutOfMemoryMessage> others;
  bool is_last = true;  ///< whether the explained message is the last of the text
};

std::string short_form(const OutOfMemoryMessage& m) {
  return fmt::format("{}{}{}: {}{}", m.rank ? fmt::format("rank {}, ", *m.rank) : "", name_of(m.platform),
                     m.device ? fmt::format(" device {}", *m.device) : "",
                     m.source == MessageSource::library ? m.library + " " : "",
                     m.requested ? format_bytes(*m.requested) + " requested" : "no size");
}

std::size_t count_ranks(const Explained& explained) {
  std::set<std::optional<std::uint64_t>> ranks = {explained.message.rank};
  for (const auto& message : explained.others) {
    ranks.insert(message.rank);
  }
  return ranks.size() - ranks.count(std::nullopt);
}

std::string text_of_others(const Explained& explained) {
  if (explained.others.empty()) {
    return "";
  }
  const std::size_t ranks = count_ranks(explained);
  std::string text = fmt::format(
      "\nThe text contains {} different out-of-memory messages{}. This is an explanation of the last one{}. "
      "The others, in the order of the text:\n",
      explained.others.size() + 1, ranks > 1 ? fmt::format(" of {} ranks", ranks) : "",
      explained.is_last ? "" : " with numbers");
  for (const auto& message : explained.others) {
    text += "  " + short_form(message) + "\n";
  }
  return text;
}

std::string text_of(const Explained& explained, const std::string& source) {
  const OutOfMemoryMessage& message = explained.message;
  const MessageVerdict& verdict = explained.verdict;
  std::string text =
      fmt::format("{}: out-of-memory message of {}{}, {}{}{}\n\n{}\n", source, writer_of(message),
                  message.versions.empty() ? "" : " " + message.versions, name_of(message.platform),
                  message.device ? fmt::format(" device {}", *message.device) : "",
                  message.rank ? fmt::format(", rank {}", *message.rank) : "", verdict.verdict);
  if (!verdict.cause.empty()) {
    text += verdict.cause + "\n";
  }
  if (!verdict.figures.empty()) {
    text += "\nThe numbers:\n";
    for (const auto& figure : verdict.figures) {
      text += fmt::format("  {:>10}  {}\n", format_bytes(figure.bytes), figure.meaning);
    }
  }
  if (!verdict.advice.empty()) {
    text += "\nChanges that can help:\n";
    for (const auto& advice : verdict.advice) {
      text += fmt::format("  {:<8}  {}\n", advice.certainty, advice.change);
    }
  }
  text += text_of_others(explained);
  const std::string record = how_to_record(message);
  return record.empty() ? text : text + "\n" + record;
}

std::string cure_text(const MessageVerdict& verdict) {
  return verdict.advice.empty()
             ? ""
             : fmt::format("{}: {}.", verdict.advice.front().certainty, verdict.advice.front().change);
}

std::string json_of(const Explained& explained, const std::string& source) {
  const OutOfMemoryMessage& message = explained.message;
  const MessageVerdict& verdict = explained.verdict;
  Json json = {{"format_version", kMessageVersion},
               {"kind", "message_explanation"},
               {"source", source},
               {"writer", writer_of(message)},
               {"platform", name_of(message.platform)},
               {"versions", message.versions},
               {"rank", number(message.rank)},
               {"device", number(message.device)},
               {"requested_bytes", number(message.requested)},
               {"capacity_bytes", number(message.capacity)},
               {"device_free_bytes", number(message.device_free)},
               {"allocated_bytes", number(message.allocated)},
               {"reserved_bytes", number(message.reserved)},
               {"private_pool_bytes", number(message.in_pools)},
               {"allowed_bytes", number(message.allowed)},
               {"this_process_bytes", number(message.this_process)},
               {"other_bytes", number(verdict.others)},
               {"verdict", name_of(verdict.kind)},
               {"certainty", verdict.certainty},
               {"verdict_text", verdict.verdict},
               {"cause_text", verdict.cause},
               {"cure_text", cure_text(verdict)},
               {"holders", Json::array()},
               {"cures", Json::array()}};
  json["processes"] = Json::array();
  for (const auto& process : message.processes) {
    json["processes"].push_back({{"id", process.id}, {"bytes", process.bytes}});
  }
  json["advice"] = Json::array();
  for (const auto& advice : verdict.advice) {
    json["advice"].push_back({{"certainty", advice.certainty}, {"change", advice.change}});
  }
  json["other_messages"] = Json::array();
  for (const auto& other : explained.others) {
    json["other_messages"].push_back({{"writer", writer_of(other)},
                                      {"platform", name_of(other.platform)},
                                      {"rank", number(other.rank)},
                                      {"device", number(other.device)},
                                      {"requested_bytes", number(other.requested)}});
  }
  json["record"] = how_to_record(message);
  return json_text(json);
}

/// Whether the text of the message can also come from another framework.
bool is_weak(const OutOfMemoryMessage& message) {
  return message.source == MessageSource::driver || message.source == MessageSource::host ||
         message.source == MessageSource::library;
}

/// The last message, or the last one with numbers of the same platform if the last message has no numbers.
std::size_t chosen(const std::vector<OutOfMemoryMessage>& messages) {
  const std::size_t last = messages.size() - 1;
  for (std::size_t i = messages.size(); i-- > 0 && !messages[last].has_numbers();) {
    if (messages[i].platform == messages[last].platform && messages[i].has_numbers()) {
      return i;
    }
  }
  return last;
}

Explained explained_of(std::string_view text, const std::string& source) {
  auto messages = read_messages(text);
  const std::string_view foreign =
      std::all_of(messages.begin(), messages.end(), is_weak) ? foreign_framework(text) : "";
  if (!foreign.empty()) {
    throw InputError(
        fmt::format("{0}: the out-of-memory message is of {1}. Molgauge explains messages of PyTorch for "
                    "CUDA, ROCm, XPU and "
                    "MPS. See the documentation of {1}",
                    source, foreign));
  }
  if (messages.empty()) {
    throw InputError(fmt::format(
        "{}: the text does not contain an out-of-memory message of PyTorch. Include the line that "
        "begins with 'torch.OutOfMemoryError' or 'RuntimeError: CUDA out of memory'",
        source));
  }
  const std::size_t index = chosen(messages);
  Explained found;
  found.is_last = index + 1 == messages.size();
  found.message = std::move(messages[index]);
  messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(index));
  found.others = std::move(messages);
  find_own_process(found.message);
  found.verdict = verdict_of(found.message);
  found.verdict.advice = advice_for(found.message, found.verdict);
  return found;
}

}  // namespace

MemoryExplanation explain_message(std::string_view text, const std::string& source) {
  const Explained explained = explained_of(text, source);
  MemoryExplanation explanation;
  explanation.source = source;
  explanation.format = "out-of-memory message";
  explanation.device = static_cast<std::size_t>(explained.message.device.value_or(0));
  explanation.text = text_of(explained, source);
  explanation.json = json_of(explained, source);
  return explanation;
}

}  // namespace molgauge::allocator
