// Tests that docs/explanation/invariance.md contains the tables of the tests.

#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "rows_of_table.h"

namespace molgauge::test {
namespace {

/// The rows of all tables of the page, without headers and rules.
std::multiset<std::string> rows_on_page() {
  std::istringstream page(read_file(MOLGAUGE_INVARIANCE_PAGE));
  std::multiset<std::string> rows;
  std::string previous;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("|---")) {
      rows.erase(rows.find(previous));
    } else if (line.starts_with("|")) {
      rows.insert(line);
    }
    previous = line;
  }
  return rows;
}

TEST(InvariancePage, HasTheTablesOfTheTests) {
  std::multiset<std::string> expected;
  for (const auto& lines : {change_lines(), answer_lines(), exception_lines()}) {
    expected.insert(lines.begin(), lines.end());
  }
  EXPECT_EQ(rows_on_page(), expected);
}

}  // namespace
}  // namespace molgauge::test
