#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace molgauge {

/// Progress of long work on stderr. On a terminal, it is one line with a bar, the rate and the time left. The
/// line is below all other output and is redrawn (base/core/session/status_line.h). Elsewhere, a line is
/// written for every tenth of the work, or every ten seconds if the amount of work is unknown. A session that
/// handles progress itself gets reports instead (molgauge/session.h). Safe to advance from several threads.
class Progress {
 public:
  /// `title`: name of the work ("encode"). `unit`: the counted unit in the singular ("molecule"). `total`:
  /// the total number of units, or 0 if it is unknown.
  Progress(std::string title, std::string unit, std::size_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::size_t count);
  /// Advances by units that an earlier run has finished. These units do not count in the rate, and no line is
  /// written for them before other units follow or all units are finished.
  void skip(std::size_t count);
  /// Sets a short text after the figures, such as the loss of a batch. It is shown only on terminals.
  void set_note(std::string note);
  /// Draws the last state and ends the line. If you do not call it, the destructor does.
  void finish();
  /// Units per second since the start, without skipped units.
  double rate() const;

 private:
  void draw(bool last);
  void report(bool last);
  bool is_due();  ///< whether enough time has passed since the last drawing
  void draw_bar(bool last);
  void print_line(bool last);
  double rate_so_far() const;
  /// Returns a text such as "12.5/s, 3 s left".
  std::string figures(const std::string& rest) const;
  double share() const;  ///< share of the total, at most 1
  double seconds_left() const;

  std::string title_, unit_, note_;
  std::size_t total_, done_ = 0, skipped_ = 0, last_tenth_ = 0;
  bool quiet_, terminal_, finished_ = false;
  std::chrono::steady_clock::time_point start_, drawn_;
  mutable std::mutex mutex_;
};

}  // namespace molgauge
