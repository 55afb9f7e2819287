#include "base/core/session/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "base/core/session/session_state.h"
#include "base/core/session/standard_streams.h"
#include "base/core/session/status_line.h"
#include "base/core/text/counted.h"
#include "base/core/text/duration.h"

namespace molgauge {
namespace {

constexpr int kBarWidth = 30;
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr auto kLineEvery = std::chrono::seconds(10);

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Progress::Progress(std::string title, std::string unit, std::size_t total, bool quiet)
    : title_(std::move(title)),
      unit_(std::move(unit)),
      total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_) {}

Progress::~Progress() { finish(); }

void Progress::advance(std::size_t count) {
  const std::lock_guard lock(mutex_);
  done_ += count;
  draw(false);
}

void Progress::skip(std::size_t count) {
  const std::lock_guard lock(mutex_);
  done_ += count;
  skipped_ += count;
  draw(false);
}

void Progress::set_note(std::string note) {
  const std::lock_guard lock(mutex_);
  note_ = std::move(note);
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (!finished_) {
    finished_ = true;
    draw(true);
  }
}

double Progress::rate() const {
  const std::lock_guard lock(mutex_);
  return rate_so_far();
}

void Progress::draw(bool last) {
  if (quiet_ || is_information_silenced() || (last && done_ == 0)) {
    return;
  }
  if (session_state().progress) {
    report(last);
  } else if (terminal_) {
    draw_bar(last);
  } else {
    print_line(last);
  }
}

bool Progress::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < kRedrawEvery) {
    return false;
  }
  drawn_ = now;
  return true;
}

void Progress::report(bool last) {
  if (last || is_due()) {
    session_state().progress({.title = title_,
                              .unit = unit_,
                              .done = done_,
                              .total = total_,
                              .per_second = rate_so_far(),
                              .note = note_,
                              .finished = last});
  }
}

void Progress::draw_bar(bool last) {
  if (!last && !is_due()) {
    return;
  }
  const int filled = total_ == 0 ? 0 : static_cast<int>(share() * kBarWidth);
  // Work may end before the total is reached, for example if training stops early.
  const std::string time =
      last ? format_duration(seconds_since(start_)) + " in all" : format_duration(seconds_left()) + " left";
  draw_status_line(
      total_ == 0 ? fmt::format("{} {} {:.1f}/s{}", title_, counted(done_, unit_), rate_so_far(), note_)
                  : fmt::format("{} [{:=<{}}{:{}}] {}/{} {}{}", title_, "", filled, "", kBarWidth - filled,
                                done_, counted(total_, unit_), figures(time), note_));
  if (last) {
    end_status_line();
  }
}

void Progress::print_line(bool last) {
  if (total_ == 0) {
    const auto now = std::chrono::steady_clock::now();
    if (last || now - drawn_ >= kLineEvery) {
      drawn_ = now;
      print_info("{}: {}, {:.1f}/s\n", title_, counted(done_, unit_), rate_so_far());
    }
    return;
  }
  const auto tenth = static_cast<std::size_t>(share() * 10);
  const bool is_all_skipped = done_ == skipped_ && done_ < total_ && !last;
  if (tenth != last_tenth_ && !is_all_skipped) {
    last_tenth_ = tenth;
    print_info("{}: {} of {} ({:.0f} %), {}\n", title_, done_, counted(total_, unit_), share() * 100,
               figures(format_duration(seconds_left()) + " left"));
  }
}

double Progress::rate_so_far() const {
  return static_cast<double>(done_ - skipped_) / std::max(seconds_since(start_), 1e-9);
}

std::string Progress::figures(const std::string& rest) const {
  return done_ == skipped_ ? "already done" : fmt::format("{:.1f}/s, {}", rate_so_far(), rest);
}

double Progress::share() const {
  return std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
}

double Progress::seconds_left() const {
  const double per_second = rate_so_far();
  return per_second > 0 && total_ > done_ ? static_cast<double>(total_ - done_) / per_second : 0.0;
}

}  // namespace molgauge
