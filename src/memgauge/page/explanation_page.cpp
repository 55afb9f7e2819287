#include "memgauge/page/explanation_page.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/page/chart.h"
#include "base/page/page.h"
#include "memgauge/explain/explanation_text.h"
#include "memgauge/explain/roles.h"
#include "memgauge/page/page_history.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kPageHolders = 25;

page::Series series(const MemoryExplanation& explanation, std::size_t style,
                    std::uint64_t MemoryTimelinePoint::*figure) {
  page::Series line;
  line.style = style;
  for (const auto& point : explanation.timeline) {
    line.points.push_back({static_cast<double>(point.event), static_cast<double>(point.*figure) / (1 << 30)});
  }
  return line;
}

page::Figure fragmentation(const MemoryExplanation& explanation) {
  page::Chart chart;
  chart.description = "Free memory over events";
  chart.series = {series(explanation, 0, &MemoryTimelinePoint::stranded_bytes),
                  series(explanation, 1, &MemoryTimelinePoint::cached_bytes),
                  series(explanation, 2, &MemoryTimelinePoint::largest_free_block_bytes)};
  std::vector<double> heights{0}, events{0};
  for (const auto& line : chart.series) {
    for (const auto& point : line.points) {
      heights.push_back(point.y);
      events.push_back(point.x);
    }
  }
  chart.x = page::round_axis("event", events);
  chart.y = page::round_axis("GiB", heights);
  return {"Fragmentation",
          page::draw(chart),
          "Free memory, and the part of it that cannot be released because a tensor in the same segment is "
          "in use.",
          {{0, "stranded"}, {1, "free in the cache"}, {2, "largest free block"}}};
}

page::TableCell bytes(std::uint64_t count) { return {format_bytes(count)}; }

page::Table holders_table(const MemoryExplanation& explanation) {
  page::Table table{
      "Largest holders", {{"by"}, {"role"}, {"called by"}, {"bytes", true}, {"blocks", true}}, {}};
  for (std::size_t i = 0; i < std::min(explanation.holders.size(), kPageHolders); ++i) {
    const auto& holder = explanation.holders[i];
    std::string origin = holder.origin;
    if (!holder.pool.empty()) {
      origin += ", in the private pool " + holder.pool;
    }
    if (holder.pending) {
      origin += ", freed, but another stream may still use it";
    }
    const auto first = holder.frames.begin() + (holder.frames.empty() ? 0 : 1);
    table.rows.push_back({{origin},
                          {role_of(holder)},
                          {fmt::format("{}", fmt::join(first, holder.frames.end(), " < "))},
                          bytes(holder.bytes),
                          {std::to_string(holder.blocks)}});
  }
  return table;
}

page::Table devices_table(const MemoryExplanation& explanation) {
  page::Table table{"Devices",
                    {{"file"},
                     {"device"},
                     {"reserved at most", true},
                     {"in use at the end", true},
                     {"events", true},
                     {"ran out of memory", true}},
                    {}};
  for (const auto& device : explanation.devices) {
    table.rows.push_back({{device.source.substr(device.source.find_last_of('/') + 1)},
                          {fmt::format("GPU {}", device.device), device.is_explained},
                          bytes(device.peak_reserved_bytes),
                          bytes(device.in_use_bytes),
                          {std::to_string(device.events)},
                          {device.out_of_memory == 0 ? "" : counted(device.out_of_memory, "time")}});
  }
  return table;
}

page::Table stretches_table(const MemoryExplanation& explanation) {
  page::Table table{
      "Reserved and in use: peaks within the phase. The others: at its end",
      {{"phase"}, {"reserved", true}, {"in use", true}, {"stranded", true}, {"largest free block", true}},
      {}};
  for (const auto& [name, point] : explanation.stretches) {
    table.rows.push_back({{name},
                          bytes(point.reserved_bytes),
                          bytes(point.allocated_bytes),
                          bytes(point.stranded_bytes),
                          bytes(point.largest_free_block_bytes)});
  }
  return table;
}

page::Table cures_table(const MemoryExplanation& explanation) {
  page::Table table{explanation.ends_with_failure
                        ? "Simulated up to the request that failed, where the recording ends"
                        : "Simulated to the end of the recording",
                    {{"change"}, {"outcome"}, {"remark"}},
                    {}};
  for (const auto& cure : explanation.cures) {
    table.rows.push_back({{cure.change, cure.is_cure}, {outcome_of(cure)}, {cure.remark}});
  }
  return table;
}

page::Table leaks_table(const MemoryExplanation& explanation) {
  page::Table table{"Kept by every iteration and never freed",
                    {{"by"}, {"an iteration", true}, {"iterations", true}, {"together", true}},
                    {}};
  for (const auto& leak : explanation.leaks) {
    table.rows.push_back({{leak.origin},
                          bytes(leak.bytes_per_iteration),
                          {std::to_string(leak.iterations)},
                          bytes(leak.bytes)});
  }
  return table;
}

page::Table savings_table(const MemoryExplanation& explanation) {
  page::Table table{"Changes that lower the peak",
                    {{"change"}, {"price"}, {"applies to", true}, {"saved", true}, {""}},
                    {}};
  for (const auto& saving : explanation.savings) {
    table.rows.push_back({{saving.change},
                          {saving.price},
                          bytes(saving.held_bytes),
                          bytes(saving.saved_bytes),
                          {fmt::format("{}{}{}", saving.is_simulated ? "simulated" : "estimated",
                                       saving.limit.empty() ? "" : ", " + saving.limit,
                                       !saving.fits   ? ""
                                       : *saving.fits ? ". The request then fits"
                                                      : ". The request still does not fit")}});
  }
  return table;
}

void add_table(page::Page& page, const char* heading, const page::Table& table) {
  if (!table.rows.empty()) {
    page.heading(heading);
    page.table(table);
  }
}

void add_part(page::Page& page, const ExplainedMemory& explained, std::size_t number,
              bool is_one_of_several) {
  const auto& explanation = explained.explanation;
  page.section(is_one_of_several ? fmt::format("GPU {}", explanation.device) : "What happened");
  page.paragraph(verdict_sentence(explanation));
  if (const std::string cause = cause_sentence(explanation); !cause.empty()) {
    page.paragraph(cause);
  }
  page.paragraph(cure_sentence(explanation));
  if (!explanation.notes.empty()) {
    page.list(explanation.notes);
  }
  if (number == 0 && explanation.devices.size() > 1) {
    page.table(devices_table(explanation));
  }
  const std::string id = fmt::format("history-{}", number), states = fmt::format("states-{}", number);
  if (const std::string figure = history_figure(explained, id); !figure.empty()) {
    page.heading("Timeline");
    page.markup(figure);
  }
  if (const std::string figure = states_figure(explained, states); !figure.empty()) {
    page.heading("Segments at any moment");
    page.markup(figure);
  }
  if (!explanation.on_cpu && !explanation.timeline.empty()) {
    page.figures({fragmentation(explanation)});
  }
  add_table(page, "In use at the explained moment", holders_table(explanation));
  add_table(page, "Leaks", leaks_table(explanation));
  if (!explanation.on_cpu) {
    add_table(page, "Savings and their cost", savings_table(explanation));
    add_table(page, "From epoch to epoch", stretches_table(explanation));
    add_table(page, "Simulated changes", cures_table(explanation));
  }
}

}  // namespace

std::string explanation_page(const std::vector<ExplainedMemory>& explained) {
  const auto& first = explained.front().explanation;
  page::Page page("Memory explained", title_of(first) + ", " + recorded_on(first));
  page.add_style(history_style());
  for (std::size_t i = 0; i < explained.size(); ++i) {
    add_part(page, explained[i], i, explained.size() > 1);
  }
  page.markup(fmt::format("<script>\n{}</script>\n", history_script()));
  return page.to_string();
}

std::string explanation_page(const ExplainedMemory& explained) {
  return explanation_page(std::vector<ExplainedMemory>{explained});
}

}  // namespace molgauge::allocator
