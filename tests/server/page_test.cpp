// Tests the page in a real browser: every input, every answer, at the width of a desktop and of a phone.

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/core/text/hexadecimal.h"
#include "devtools.h"
#include "served.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class PageInABrowser : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!has_chromium()) {
      GTEST_SKIP() << "chromium is not installed (scripts/setup --developer)";
    }
    served_ = std::make_unique<Served>(
        std::vector<std::string>{"--model", (own_data("chemprop") / "v2_binary.pt").string()});
    page_ = std::make_unique<BrowserPage>("http://" + served_->host() + "/", GetParam(), 1000);
    page_->wait_for("document.getElementById('model').options[0].value === 'small'");
  }
  std::string text_of(const std::string& id) {
    return page_->evaluate("document.getElementById('" + id + "').textContent").get<std::string>();
  }
  bool is_shown(const std::string& id) {
    return page_->evaluate("!document.getElementById('" + id + "').hidden").get<bool>();
  }
  void click(const std::string& selector) {
    page_->evaluate("document.querySelector('" + selector + "').click()");
  }
  void paste(const std::string& text) {
    page_->evaluate("(() => { const box = document.getElementById('smiles'); box.focus(); box.value = " +
                    nlohmann::json(text).dump() +
                    "; box.dispatchEvent(new Event('input', { bubbles: true })); })()");
  }
  /// Drops a file on the window.
  void drop(const std::string& name, const std::string& content) {
    page_->evaluate("(() => { const data = new DataTransfer(); data.items.add(new File([" +
                    nlohmann::json(content).dump() + "], " + nlohmann::json(name).dump() +
                    ")); window.dispatchEvent(new DragEvent('dragenter', { dataTransfer: data }));"
                    "window.dispatchEvent(new DragEvent('drop', { dataTransfer: data })); })()");
  }
  std::string name_of_first_row() {
    return page_->evaluate("document.querySelector('#rows [role=row] [role=cell]:nth-child(3)').textContent")
        .get<std::string>();
  }
  void picture(const std::string& name) { page_->screenshot(name + "-" + std::to_string(GetParam())); }
  /// Nothing is wider than the window.
  void expect_to_fit() {
    EXPECT_LE(page_->evaluate("document.documentElement.scrollWidth").get<int>(), GetParam());
  }

  std::unique_ptr<Served> served_;
  std::unique_ptr<BrowserPage> page_;
};

TEST_P(PageInABrowser, JudgesWhatIsPastedAndShowsAMolecule) {
  picture("empty");
  expect_to_fit();
  paste("OCCCCc1ccccc1 same\nBrC1(F)OC1(F)S(=O)=O <b>odd</b>\nnonsense bad");
  page_->wait_for(
      "document.getElementById('preview-drawing').naturalWidth > 0 || "
      "document.getElementById('preview-text').textContent");
  click("#judge");
  page_->wait_for("document.querySelectorAll('#rows [role=row]').length === 3");
  EXPECT_THAT(text_of("counts"), HasSubstr("1unreadable"));
  picture("result");
  expect_to_fit();
  // The rows are first sorted by verdict. A click sorts them by name, and a second click reverses the order.
  click("#head [role=columnheader]:nth-child(3) button");
  EXPECT_EQ(name_of_first_row(), "<b>odd</b>");
  click("#head [role=columnheader]:nth-child(3) button");
  EXPECT_EQ(name_of_first_row(), "same");
  page_->evaluate(
      "document.getElementById('find').value = 'odd'; document.getElementById('find').dispatchEvent(new "
      "Event('input'))");
  EXPECT_EQ(page_->evaluate("document.querySelectorAll('#rows [role=row]').length"), 1);
  // The row is opened with the keyboard.
  page_->evaluate("document.getElementById('rows').focus()");
  page_->press("Enter");
  page_->wait_for("document.getElementById('molecule').open");
  page_->wait_for(
      "[...document.querySelectorAll('#molecule img')].length === 4 && "
      "[...document.querySelectorAll('#molecule img')].every((one) => one.naturalWidth > 0)");
  picture("molecule");
  page_->press("Escape");
  EXPECT_THAT(page_->complaints(), IsEmpty());
}

TEST_P(PageInABrowser, PredictsWithAChempropModel) {
  page_->evaluate(
      "(() => { const model = document.getElementById('model'); model.value = 'v2_binary.pt';"
      "model.dispatchEvent(new Event('change')); document.getElementById('describe').checked = true; })()");
  EXPECT_EQ(text_of("judge"), "Predict");
  paste("CC(=O)Oc1ccccc1C(=O)O aspirin\nCCO ethanol\nnonsense bad");
  click("#judge");
  page_->wait_for("document.querySelectorAll('#rows [role=row]').length === 3");
  EXPECT_EQ(text_of("counts"), "2predicted1unreadable");
  EXPECT_THAT(text_of("command"), HasSubstr("molgauge predict v2_binary.pt molecules.smi --describe"));
  picture("predictions");
  expect_to_fit();
  // A task leaves the table, and comes back.
  const std::string columns = "[...document.querySelectorAll('#head button')].map((one) => one.textContent)";
  const auto with_both = page_->evaluate(columns);
  ASSERT_EQ(with_both.size(), 7U);
  click("#task-choice input");
  const auto with_one = page_->evaluate(columns);
  EXPECT_EQ(with_one.size(), 6U);
  EXPECT_EQ(with_one.at(4), with_both.at(5));
  click("#task-choice input");
  EXPECT_EQ(page_->evaluate(columns), with_both);
  // Sorted by the first task.
  click("#head [role=columnheader]:nth-child(5) button");
  page_->evaluate("document.getElementById('rows').focus()");
  page_->press("Enter");
  page_->wait_for("document.getElementById('molecule').open");
  page_->press("Escape");
  // aspirin has an alert, whose atoms are drawn.
  page_->evaluate(
      "[...document.querySelectorAll('#rows [role=row]')].find((row) => "
      "row.textContent.includes('aspirin')).click()");
  page_->wait_for(
      "[...document.querySelectorAll('#molecule img')].length === 2 && "
      "[...document.querySelectorAll('#molecule img')].every((one) => one.naturalWidth > 0)");
  EXPECT_THAT(text_of("molecule-content"), HasSubstr("alert: phenol_ester"));
  EXPECT_EQ(page_->evaluate("document.querySelectorAll('#molecule .predictions td').length"), 3);
  picture("predicted-molecule");
  EXPECT_THAT(page_->complaints(), IsEmpty());
}

TEST_P(PageInABrowser, TakesALongListAndStaysQuick) {
  drop("list.smi", many_molecules(4'000));
  page_->wait_for("!document.getElementById('result').hidden");
  EXPECT_THAT(text_of("shown"), HasSubstr("4,000 of 4,000"));
  EXPECT_LT(page_->evaluate("document.querySelectorAll('#rows [role=row]').length").get<int>(), 100);
  // Measures the time of sorting, filtering and scrolling of all rows.
  const double milliseconds =
      page_
          ->evaluate(
              "(() => { const begun = performance.now(); document.querySelector('#head "
              "[role=columnheader]:nth-child(3) button').click();"
              "document.getElementById('find').value = 'molecule-9'; "
              "document.getElementById('find').dispatchEvent(new Event('input'));"
              "return performance.now() - begun; })()")
          .get<double>();
  std::printf("sorted and filtered 4,000 rows in %.0f ms\n", milliseconds);
  EXPECT_THAT(text_of("shown"), HasSubstr("111 of 4,000"));
  page_->evaluate("document.getElementById('rows').scrollTop = 2000");
  page_->wait_for("document.querySelector('#rows [role=row]').dataset.place > 30");
  // The result of the job can be downloaded in all formats.
  page_->evaluate(
      "window.saved = []; HTMLAnchorElement.prototype.click = function () { "
      "window.saved.push(this.download); }");
  for (const char* const form : {"csv", "xlsx", "sdf", "html"}) {
    click("button[data-as=" + std::string(form) + "]");
    page_->wait_for("window.saved.includes('molgauge." + std::string(form) + "')");
  }
  EXPECT_THAT(page_->complaints(), IsEmpty());
}

TEST_P(PageInABrowser, CancelsAndTellsErrors) {
  drop("list.smi", many_molecules(40'000));
  page_->wait_for("!document.getElementById('cancel').hidden");
  click("#cancel");
  page_->wait_for("document.getElementById('cancel').hidden");
  EXPECT_THAT(text_of("notice"), HasSubstr("Cancelled"));
  drop("bad.csv", "smiles\n\"CCO\n");
  page_->wait_for("document.getElementById('notice').textContent.includes('bad.csv:')");
  picture("error");
  paste("   ");
  click("#judge");
  EXPECT_THAT(text_of("notice"), HasSubstr("No molecules yet"));
  // The result hides the notice. A second submit during the upload does not show another notice.
  drop("list.smi", many_molecules(3000));
  click("#judge");
  page_->evaluate(
      "document.getElementById('input').dispatchEvent(new Event('submit', { cancelable: true }))");
  page_->wait_for(
      "document.querySelectorAll('#rows [role=row]').length > 0 && document.getElementById('cancel').hidden");
  EXPECT_FALSE(is_shown("notice")) << text_of("notice");
  served_->end(SIGKILL);
  paste("CCO");
  click("#judge");
  page_->wait_for("document.getElementById('notice').textContent.includes('does not answer')");
}

TEST_P(PageInABrowser, FindsTheColumnOfSmilesOrAsksForIt) {
  drop("named.csv", "id,Canonical_SMILES\nx1,CCO\nx2,CCN\n");
  page_->wait_for("document.querySelectorAll('#rows [role=row]').length === 2");
  EXPECT_FALSE(is_shown("column-form"));
  drop("unnamed.csv", "id,\"structure, 2D\"\nx1,CCO\nx2,CCN\nx3,CCC\n");
  page_->wait_for("!document.getElementById('column-form').hidden");
  picture("column");
  expect_to_fit();
  page_->evaluate("document.getElementById('column').value = 'structure, 2D'");
  click("#column-form button");
  page_->wait_for("document.querySelectorAll('#rows [role=row]').length === 3");
  paste("SMILES,name\nCCO,ethanol\n");
  click("#judge");
  page_->wait_for("document.querySelectorAll('#rows [role=row]').length === 1");
  EXPECT_THAT(page_->complaints(), IsEmpty());
}

TEST_P(PageInABrowser, TakesAMolBlockAndRecordsThatArePasted) {
  paste(
      "ethanol\n\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n"
      "    1.5000    0.0000    0.0000 C   0  0\n    2.2000    1.2000    0.0000 O   0  0\n  1  2  1  0\n"
      "  2  3  1  0\nM  END\n");
  click("#judge");
  page_->wait_for("document.querySelectorAll('#rows [role=row]').length === 1");
  EXPECT_EQ(name_of_first_row(), "ethanol");
  const auto judge_records = [&](const std::string& records, int count) {
    page_->wait_for("!document.getElementById('judge').disabled");
    paste(records);
    click("#judge");
    page_->wait_for("document.querySelectorAll('#rows [role=row]').length === " + std::to_string(count));
  };
  judge_records(R"([{"SMILES": "CCO", "name": "a"}, {"SMILES": "CCN", "name": "b"}])", 2);
  judge_records("{\"SMILES\": \"CCO\"}\n{\"SMILES\": \"CCN\"}\n{\"SMILES\": \"CCC\"}", 3);
  EXPECT_THAT(page_->complaints(), IsEmpty());
}

TEST_P(PageInABrowser, ExplainsASnapshotThatIsDropped) {
  const std::string bytes = read_file(MOLGAUGE_TEST_DATA "/allocator/recorded/by-hand.pickle");
  page_->evaluate(
      "(() => { const bytes = Uint8Array.from(" +
      nlohmann::json(to_hexadecimal({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}))
          .dump() +
      ".match(/../g), (pair) => parseInt(pair, 16)); const data = new DataTransfer();"
      "data.items.add(new File([bytes], 'run.pickle'));"
      "window.dispatchEvent(new DragEvent('drop', { dataTransfer: data })); })()");
  page_->wait_for("!document.getElementById('explanation').hidden");
  EXPECT_EQ(text_of("explanation-heading"), "Memory of run.pickle");
  EXPECT_THAT(text_of("explanation-text"), StartsWith("run.pickle: "));
  page_->wait_for("document.getElementById('explanation-page').src.includes('/result?as=html')");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  picture("explanation");
  expect_to_fit();
  EXPECT_THAT(page_->complaints(), IsEmpty());
}

TEST_P(PageInABrowser, SaysWhatIsWrongWithASnapshot) {
  drop("snapshot.pickle", "this is no pickle");
  page_->wait_for("!document.getElementById('notice').hidden");
  EXPECT_THAT(text_of("notice"), HasSubstr("snapshot"));
}

/// The accessibility tree: every control has a name, pictures have texts, and the table has its roles.
TEST_P(PageInABrowser, IsNamedForScreenReaders) {
  paste("CCO a\nCCN b");
  click("#judge");
  page_->wait_for("document.querySelectorAll('#rows [role=row]').length === 2");
  const auto nameless = page_->evaluate(
      "[...document.querySelectorAll('input, select, textarea, button, iframe, dialog')].filter((one) => "
      "!(one.labels && one.labels.length) && !one.textContent.trim() && !one.getAttribute('aria-label') && "
      "!one.getAttribute('aria-labelledby') && !one.title).map((one) => one.outerHTML)");
  EXPECT_EQ(nameless, nlohmann::json::array());
  EXPECT_EQ(page_->evaluate("[...document.images].filter((one) => !one.hasAttribute('alt')).length"), 0);
  EXPECT_EQ(page_->evaluate("document.documentElement.lang"), "en");
  EXPECT_EQ(page_->evaluate("document.querySelectorAll('h1').length"), 1);
  EXPECT_EQ(page_->evaluate("document.querySelector('#rows [role=row]').getAttribute('aria-rowindex')"), "2");
  EXPECT_EQ(page_->evaluate("document.querySelectorAll('[aria-sort=ascending]').length"), 1);
  const auto ids = page_->evaluate(
      "(() => { const ids = [...document.querySelectorAll('[id]')].map((one) => one.id); return ids.length - "
      "new Set(ids).size; })()");
  EXPECT_EQ(ids, 0);
}

/// axe-core finds no problem. $MOLGAUGE_AXE names its axe.min.js (part of axe-playwright-python on PyPI).
TEST_P(PageInABrowser, HasNoAccessibilityErrorThatAxeFinds) {
  const char* const axe = std::getenv("MOLGAUGE_AXE");
  if (axe == nullptr) {
    GTEST_SKIP() << "MOLGAUGE_AXE does not name an axe.min.js";
  }
  page_->evaluate(read_file(axe) + "; 0");
  const std::string violations =
      "axe.run().then((found) => found.violations.map((one) => one.id + ': ' + one.nodes.map((node) => "
      "node.html).join(' | ')))";
  EXPECT_EQ(page_->evaluate(violations), nlohmann::json::array()) << "before";
  paste("OCCCCc1ccccc1 same\nBrC1(F)OC1(F)S(=O)=O odd\nnonsense bad");
  click("#judge");
  page_->wait_for("document.querySelectorAll('#rows [role=row]').length === 3");
  EXPECT_EQ(page_->evaluate(violations), nlohmann::json::array()) << "with a result";
  page_->evaluate("document.querySelector('#rows [role=row]').click()");
  page_->wait_for("document.getElementById('molecule').open");
  EXPECT_EQ(page_->evaluate(violations), nlohmann::json::array()) << "with a molecule";
}

INSTANTIATE_TEST_SUITE_P(Widths, PageInABrowser, testing::Values(1300, 400));

}  // namespace
}  // namespace molgauge::test
