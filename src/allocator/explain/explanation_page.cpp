#include "allocator/explain/explanation_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "allocator/explain/explanation_text.h"
#include "allocator/explain/page_drawings.h"
#include "core/bytes.h"
#include "core/counted.h"

namespace headroom::allocator {
namespace {

constexpr std::size_t kSegments = 60;
constexpr std::size_t kHolders = 25;

constexpr const char* kStart = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Memory explained</title><style>
body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#1d2733;background:#fff}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}svg{width:100%;height:auto}svg text{font-size:11px;fill:#55606d}
.grid{stroke:#e4e8ed}.limit{stroke:#b3372f;stroke-dasharray:6 4}.verdict{font-size:1.1em}.cure{font-weight:600}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25em .8em .25em 0;border-bottom:1px solid #e4e8ed}
.number{text-align:right;white-space:nowrap}.key span{display:inline-block;width:1em;height:1em;margin:0 .4em 0 1em}
.note{color:#55606d}</style></head><body>
)";

PageCurve curve(const MemoryExplanation& explanation, const char* name, const char* colour,
                std::uint64_t MemoryTimelinePoint::*figure) {
  PageCurve result{name, colour, {}};
  for (const auto& point : explanation.timeline) {
    result.points.emplace_back(point.event, point.*figure);
  }
  return result;
}

std::string cell(std::uint64_t bytes) {
  return fmt::format("<td class='number'>{}</td>", format_bytes(bytes));
}

std::string introduction(const MemoryExplanation& explanation) {
  std::string html = fmt::format(
      "<h1>Memory explained</h1>\n<p class='note'>{} ({}), {}, {}; {}</p>\n", escape_html(explanation.source),
      escape_html(explanation.format), counted(explanation.events, "event"),
      counted(explanation.allocations, "allocation"), escape_html(recorded_on(explanation)));
  html += fmt::format("<p class='verdict'>{}</p>\n<p class='cure'>{}</p>\n",
                      escape_html(verdict_sentence(explanation)), escape_html(cure_sentence(explanation)));
  for (const auto& note : explanation.notes) {
    html += fmt::format("<p class='note'>Note: {}</p>\n", escape_html(note));
  }
  return html;
}

std::string holders_table(const MemoryExplanation& explanation) {
  std::string html =
      "<h2>In use at that moment</h2>\n<table><tr><th>by</th><th class='number'>bytes</th>"
      "<th class='number'>blocks</th></tr>\n";
  const std::size_t count = std::min(explanation.holders.size(), kHolders);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& holder = explanation.holders[i];
    html += fmt::format("<tr><td>{}</td>{}<td class='number'>{}</td></tr>\n", escape_html(holder.origin),
                        cell(holder.bytes), holder.blocks);
  }
  return html + "</table>\n";
}

std::string stretches_table(const MemoryExplanation& explanation) {
  if (explanation.stretches.empty()) {
    return "";
  }
  std::string html =
      "<h2>From epoch to epoch</h2>\n<table><tr><th>phase</th><th class='number'>reserved, highest</th>"
      "<th class='number'>in use, highest</th><th class='number'>stranded at its end</th>"
      "<th class='number'>largest free block</th></tr>\n";
  for (const auto& [name, point] : explanation.stretches) {
    html += fmt::format("<tr><td>{}</td>{}{}{}{}</tr>\n", escape_html(name), cell(point.reserved_bytes),
                        cell(point.allocated_bytes), cell(point.stranded_bytes),
                        cell(point.largest_free_block_bytes));
  }
  return html + "</table>\n";
}

std::string cures_table(const MemoryExplanation& explanation) {
  if (explanation.cures.empty()) {
    return "";
  }
  std::string html = "<h2>Simulated changes</h2>\n<table><tr><th></th><th>change</th><th>outcome</th></tr>\n";
  for (const auto& cure : explanation.cures) {
    html +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", cure.is_cure ? "&#10003;" : "&#10007;",
                    escape_html(cure.change), escape_html(outcome_of(cure)));
  }
  return html + "</table>\n";
}

std::string block_map(const ExplainedMemory& explained) {
  std::string html = "<h2>Segments at that moment</h2>\n" + draw_block_map_key(explained);
  html += draw_block_map(explained, kSegments);
  if (explained.segments.size() > kSegments) {
    html += fmt::format("<p class='note'>The {} largest of {} segments.</p>\n", kSegments,
                        explained.segments.size());
  }
  return html;
}

}  // namespace

std::string explanation_page(const ExplainedMemory& explained) {
  const auto& explanation = explained.explanation;
  std::string html = kStart + introduction(explanation);
  html += "<h2>Timeline</h2>\n";
  if (explanation.on_cpu) {
    html += draw_curves({curve(explanation, "in use", "#3b6ea5", &MemoryTimelinePoint::allocated_bytes)}, 0);
    return html + holders_table(explanation) + "</body></html>\n";
  }
  html += draw_curves({curve(explanation, "reserved", "#7d4f9e", &MemoryTimelinePoint::reserved_bytes),
                       curve(explanation, "in use", "#3b6ea5", &MemoryTimelinePoint::allocated_bytes)},
                      explanation.capacity_bytes.value_or(0));
  html += "<h2>Fragmentation</h2>\n";
  html += draw_curves(
      {curve(explanation, "stranded", "#b3372f", &MemoryTimelinePoint::stranded_bytes),
       curve(explanation, "free in the cache", "#8a949e", &MemoryTimelinePoint::cached_bytes),
       curve(explanation, "largest free block", "#2f8f5b", &MemoryTimelinePoint::largest_free_block_bytes)},
      0);
  html += block_map(explained) + holders_table(explanation) + stretches_table(explanation) +
          cures_table(explanation);
  return html + "</body></html>\n";
}

}  // namespace headroom::allocator
