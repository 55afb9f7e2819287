#include "memgauge/page/page_history.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "base/core/text/bytes.h"
#include "base/page/axis.h"
#include "base/page/markup.h"
#include "base/page/svg.h"

namespace molgauge::allocator {
namespace {

using Json = nlohmann::ordered_json;
using page::Point;

constexpr double kWidth = 960, kHeight = 340;
constexpr double kLeft = 70, kRight = 950, kTop = 40, kBottom = 300;
constexpr std::size_t kMaxGroups = 60;

/// Converts events and bytes to positions in the drawing. The x axis is the time, if it is known.
class HistoryScale {
 public:
  HistoryScale(const ExplainedMemory& explained, const HistoryView& view)
      : history_(explained.history), points_(view.points) {
    double last = 1, highest = static_cast<double>(explained.explanation.capacity_bytes.value_or(0));
    for (const auto& point : points_) {
      last = std::max(last, history_.has_times ? 0.0 : static_cast<double>(point.event));
      std::uint64_t sum = 0;
      for (const std::uint64_t bytes : point.held) {
        sum += bytes;
      }
      highest = std::max(highest, static_cast<double>(sum));
    }
    for (const auto& point : explained.explanation.timeline) {
      highest = std::max(highest, static_cast<double>(point.reserved_bytes));
    }
    if (history_.has_times) {
      last = std::max(1e-6, points_.back().seconds);
    }
    x_axis_ = page::round_axis(history_.has_times ? "seconds" : "event", {0, last}, 8);
    x_axis_.high = last;
    y_axis_ = page::round_axis("GiB", {0, highest / kGibibyte}, 5);
  }

  double x_of(std::size_t event) const {
    if (!history_.has_times) {
      return place(static_cast<double>(event));
    }
    const auto after =
        std::lower_bound(points_.begin(), points_.end(), event,
                         [](const HistoryPoint& point, std::size_t at) { return point.event < at; });
    return place(after == points_.end() ? points_.back().seconds : after->seconds);
  }
  double y_of(double bytes) const {
    return kBottom - std::clamp(y_axis_.share(bytes / kGibibyte), 0.0, 1.0) * (kBottom - kTop);
  }
  double place(double value) const {
    return kLeft + std::clamp(x_axis_.share(value), 0.0, 1.0) * (kRight - kLeft);
  }
  const page::Axis& x_axis() const { return x_axis_; }
  const page::Axis& y_axis() const { return y_axis_; }

 private:
  static constexpr double kGibibyte = 1 << 30;
  const MemoryHistory& history_;
  const std::vector<HistoryPoint>& points_;
  page::Axis x_axis_, y_axis_;
};

void draw_axes(const HistoryScale& scale, page::SvgDrawing& svg) {
  for (const auto& tick : scale.y_axis().ticks) {
    const double y = scale.y_of(tick.at * (1 << 30));
    svg.line({kLeft, y}, {kRight, y}, "grid");
    svg.text({kLeft - 8, y + 4}, page::Anchor::end, tick.label, "tick");
  }
  for (const auto& tick : scale.x_axis().ticks) {
    if (tick.at <= scale.x_axis().high * (1 + 1e-9)) {
      svg.text({scale.place(tick.at), kBottom + 16}, page::Anchor::middle, tick.label, "tick");
    }
  }
  svg.text({kRight, kBottom + 34}, page::Anchor::end, scale.x_axis().title, "title");
  svg.upright_text({14, (kTop + kBottom) / 2}, scale.y_axis().title, "title");
}

void draw_series(const HistoryView& view, const HistoryScale& scale, page::SvgDrawing& svg) {
  const auto& points = view.points;
  const std::size_t series = view.series.size();
  std::vector<double> below(points.size(), 0);
  for (std::size_t number = 0; number < series; ++number) {
    std::vector<Point> outline;
    for (std::size_t i = 0; i < points.size(); ++i) {
      outline.push_back(
          {scale.x_of(points[i].event), scale.y_of(below[i] + static_cast<double>(points[i].held[number]))});
    }
    for (std::size_t i = points.size(); i-- > 0;) {
      outline.push_back({scale.x_of(points[i].event), scale.y_of(below[i])});
      below[i] += static_cast<double>(points[i].held[number]);
    }
    svg.path(outline, fmt::format("held s{}", number));
  }
}

void draw_phases(const ExplainedMemory& explained, const HistoryScale& scale, page::SvgDrawing& svg) {
  // Draws two levels of phases, with names above the outer level.
  double named_until = 0;
  for (const auto& phase : explained.history.phases) {
    if (phase.depth > 1) {
      continue;
    }
    const double left = scale.x_of(phase.first_event), right = scale.x_of(phase.last_event);
    svg.rectangle({left, phase.depth == 0 ? 20.0 : 29.0}, std::max(1.0, right - left), 7, "phase");
    const std::string name = page::shortened(phase.name, 24);
    if (phase.depth == 0 && left > named_until && left + 6.5 * static_cast<double>(name.size()) < kRight) {
      svg.text({left, 16}, page::Anchor::start, name, "tick");
      named_until = left + 6.5 * static_cast<double>(name.size()) + 8;
    }
  }
}

/// JSON that can safely be part of a script element.
std::string embedded(const Json& json, const std::string& id) {
  std::string text = json_line(json);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) {
    text.replace(at, 1, "\\u003c");
  }
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, text);
}

Json series_json(const std::vector<HistorySeries>& all) {
  Json list = Json::array();
  for (const auto& series : all) {
    list.push_back({{"name", series.name}, {"frames", series.frames}});
  }
  return list;
}

Json states_json(const std::vector<StateAt>& states) {
  Json list = Json::array();
  for (const auto& state : states) {
    Json groups = Json::array();
    for (std::size_t i = 0; i < std::min(state.groups.size(), kMaxGroups); ++i) {
      const SegmentGroup& group = state.groups[i];
      groups.push_back({group.segment_bytes, group.count, group.held, group.pending, group.free,
                        group.is_expandable ? 1 : 0, group.pool});
    }
    list.push_back({{"event", state.event},
                    {"groups", std::move(groups)},
                    {"more", state.groups.size() - std::min(state.groups.size(), kMaxGroups)}});
  }
  return list;
}

std::string legend(const std::vector<HistorySeries>& series) {
  std::string items;
  for (std::size_t i = 0; i < series.size(); ++i) {
    items += fmt::format("<li title=\"{}\"><span class=\"swatch s{}\"></span>{}</li>",
                         page::escape_markup(fmt::format("{}", fmt::join(series[i].frames, "\n"))), i,
                         page::escape_markup(series[i].name));
  }
  return "<ul class=\"legend\">" + items + "</ul>";
}

std::string figure_of(const ExplainedMemory& explained, const HistoryView& view, const std::string& id,
                      bool is_first) {
  const HistoryScale scale(explained, view);
  page::SvgDrawing svg(kWidth, kHeight, "Memory in use over time, by " + view.by);
  draw_axes(scale, svg);
  draw_series(view, scale, svg);
  if (!explained.explanation.on_cpu) {
    std::vector<Point> reserved;
    for (const auto& point : explained.explanation.timeline) {
      reserved.push_back({scale.x_of(point.event), scale.y_of(static_cast<double>(point.reserved_bytes))});
    }
    svg.path(reserved, "reserved");
  }
  if (explained.explanation.capacity_bytes) {
    const double y = scale.y_of(static_cast<double>(*explained.explanation.capacity_bytes));
    svg.line({kLeft, y}, {kRight, y}, "limit");
  }
  draw_phases(explained, scale, svg);
  const double moment = scale.x_of(explained.explanation.moment.event);
  svg.line({moment, kTop}, {moment, kBottom}, "moment");
  Json points = Json::array();
  for (const auto& point : view.points) {
    points.push_back({scale.x_of(point.event), point.event, point.seconds, point.held});
  }
  const Json data = {{"series", series_json(view.series)},
                     {"points", std::move(points)},
                     {"hasTimes", explained.history.has_times}};
  return fmt::format(
             "<figure class=\"wide history\" id=\"{}\" data-by=\"{}\"{}>{}{}<p class=\"hover\" "
             "aria-live=\"polite\">Point at the chart to see the memory at that moment.</p></figure>\n",
             id, view.by, is_first ? "" : " hidden", legend(view.series), svg.to_string()) +
         embedded(data, id + "-data");
}

/// Returns the index of the state that the figure shows first: the first state at or after `event`, or the
/// last state if all states are earlier. `event` is the explained moment.
std::size_t nearest_state(const std::vector<StateAt>& states, std::size_t event) {
  const auto after = std::partition_point(states.begin(), states.end(),
                                          [&](const StateAt& state) { return state.event < event; });
  return static_cast<std::size_t>(std::min(after, states.end() - 1) - states.begin());
}

}  // namespace

std::string history_figure(const ExplainedMemory& explained, const std::string& id) {
  const auto& views = explained.history.views;
  if (views.empty() || views.front().points.empty()) {
    return "";
  }
  std::string choices, figures;
  for (const auto& view : views) {
    choices += fmt::format("<option value=\"{0}\">{0}</option>", view.by);
    figures += figure_of(explained, view, fmt::format("{}-{}", id, view.by), &view == &views.front());
  }
  const std::string_view lines_of_a_gpu =
      explained.explanation.on_cpu
          ? ""
          : "The upper line shows the reserved memory, and the dashed line shows the memory of the GPU. ";
  return fmt::format(
      "<div class=\"views\"><label>By <select>{}</select></label>\n{}<p class=\"caption\">Requested memory "
      "in use, by its largest holders at the explained moment (vertical line). {}Phases and annotations are "
      "above the chart.</p></div>\n",
      choices, figures, lines_of_a_gpu);
}

std::string states_figure(const ExplainedMemory& explained, const std::string& id) {
  const auto& history = explained.history;
  if (history.states.empty()) {
    return "";
  }
  const Json data = {{"series", series_json(history.series())},
                     {"states", states_json(history.states)},
                     {"cured", states_json(history.cured_states)}};
  const std::string cured =
      history.cure.empty()
          ? ""
          : fmt::format("<div><h3>Under {}</h3><div class=\"groups\" data-of=\"cured\"></div></div>",
                        page::escape_markup(history.cure));
  return fmt::format(
             "<figure class=\"wide states\" id=\"{0}\">{1}<label{5}>Moment <input type=\"range\" min=\"0\" "
             "max=\"{2}\" value=\"{6}\"> <output></output></label><div class=\"sides\"><div><h3>{3}</h3><div "
             "class=\"groups\" data-of=\"states\"></div></div>{4}</div><figcaption>Each row shows segments "
             "of one size that are about equally full. Its length is the memory that they reserve. Pale: "
             "free. "
             "Dark: freed, but another stream may still use it.</figcaption></figure>\n",
             id, legend(history.series()), history.states.size() - 1,
             explained.explanation.verdict == MemoryVerdict::no_history ? "As it was dumped" : "As it was",
             cured, history.states.size() > 1 ? "" : " hidden",
             nearest_state(history.states, explained.explanation.moment.event)) +
         embedded(data, id + "-data");
}

}  // namespace molgauge::allocator
