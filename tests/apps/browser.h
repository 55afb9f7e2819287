#pragma once

#include <filesystem>
#include <string>

namespace molgauge::test {

/// Whether Chromium is installed (scripts/setup --developer).
bool has_browser();

/// Copies a check to check.html in `folder`, next to the page that the check examines, and opens check.html
/// in Chromium. A check is a page that writes "looked at ..." and its findings into #verdict. Returns the
/// verdict, followed by the complaints of the browser.
std::string browser_verdict(const std::filesystem::path& check, const std::filesystem::path& folder);

/// Whether pdftotext is installed (poppler-utils, which scripts/setup --developer installs).
bool has_pdf_reader();

/// Prints the page to a PDF file with Chromium and returns its text.
std::string printed_text(const std::filesystem::path& page);

}  // namespace molgauge::test
