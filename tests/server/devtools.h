#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace molgauge::test {

/// Whether Chromium is installed (scripts/setup --developer).
bool has_chromium();

/// A page in headless Chromium, driven by the DevTools protocol
/// (https://chromedevtools.github.io/devtools-protocol/).
class BrowserPage {
 public:
  BrowserPage(const std::string& address, int width, int height);
  ~BrowserPage();
  BrowserPage(const BrowserPage&) = delete;
  BrowserPage& operator=(const BrowserPage&) = delete;

  /// The value of an expression. Waits for promises. Throws std::runtime_error with the exception of the
  /// page.
  nlohmann::json evaluate(const std::string& expression);
  /// Waits until the expression is true. Throws after 60 s.
  void wait_for(const std::string& condition);
  /// The console output of the page, and its uncaught errors.
  const std::vector<std::string>& complaints() const;
  /// Saves a picture of the page as PNG if $MOLGAUGE_SCREENSHOTS names a folder.
  void screenshot(const std::string& name);
  /// Sends a key to the focused element: "Enter", "ArrowDown", "Tab", "Escape".
  void press(const std::string& key);

 private:
  struct Members;
  std::unique_ptr<Members> members_;
};

}  // namespace molgauge::test
