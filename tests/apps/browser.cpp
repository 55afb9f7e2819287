#include "browser.h"

#include <array>
#include <cstdio>

#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

/// Returns the standard output of a command.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t read = 0; (read = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), read);
  }
  pclose(pipe);
  return text;
}

}  // namespace

bool has_browser() { return !output_of("command -v chromium").empty(); }

std::string browser_verdict(const std::filesystem::path& check, const std::filesystem::path& folder) {
  const TemporaryFolder own;
  const std::filesystem::path copy = folder / "check.html";
  std::filesystem::copy_file(check, copy, std::filesystem::copy_options::overwrite_existing);
  const std::string page = output_of(
      "env -u LD_LIBRARY_PATH chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files "
      "--user-data-dir='" +
      (own / "profile").string() +
      "' --enable-logging=stderr --virtual-time-budget=60000 --window-size=1400,2000 --dump-dom 'file://" +
      copy.string() + "' 2>'" + (own / "complaints").string() + "'");
  const std::size_t start = page.find("looked at ");
  const std::string verdict =
      start == std::string::npos ? "no verdict" : page.substr(start, page.find("</pre>", start) - start);
  const std::string complaints = read_file(own / "complaints");
  const std::size_t complaint = complaints.find("CONSOLE");
  return complaint == std::string::npos ? verdict : verdict + complaints.substr(complaint);
}

bool has_pdf_reader() { return !output_of("command -v pdftotext").empty(); }

std::string printed_text(const std::filesystem::path& page) {
  const TemporaryFolder own;
  output_of("env -u LD_LIBRARY_PATH chromium --headless --no-sandbox --disable-gpu --user-data-dir='" +
            (own / "profile").string() + "' --no-pdf-header-footer --print-to-pdf='" +
            (own / "page.pdf").string() + "' 'file://" + page.string() + "' 2>&1");
  return output_of("pdftotext -layout '" + (own / "page.pdf").string() + "' -");
}

}  // namespace molgauge::test
