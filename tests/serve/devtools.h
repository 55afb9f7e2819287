#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace headroom::test {

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

  /// The value of an expression; promises are waited for. Throws std::runtime_error with what the page threw.
  nlohmann::json evaluate(const std::string& expression);
  /// Waits until the expression is true, for 60 s at most; then throws.
  void wait_for(const std::string& condition);
  /// What the page wrote to the console, and errors that it did not catch.
  const std::vector<std::string>& complaints() const;
  /// A picture of the page as PNG, where $HEADROOM_SCREENSHOTS names a folder.
  void screenshot(const std::string& name);
  /// Sends a key to what has the focus: "Enter", "ArrowDown", "Tab", "Escape".
  void press(const std::string& key);

 private:
  struct Members;
  std::unique_ptr<Members> members_;
};

}  // namespace headroom::test
