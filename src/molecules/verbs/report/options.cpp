// Options of `molgauge report`.

#include <filesystem>
#include <string>

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using P = ReportRequest;

/// Returns the default path of the page.
std::string report_page(const void* request) {
  return (std::filesystem::path(static_cast<const P*>(request)->folder) / "report.html").string();
}

constexpr std::array kReport = {
    Option{.name = "DIR",
           .field = field<P, &P::folder>,
           .help = "Folder of molgauge experiment or molgauge baseline, or an evaluated run folder",
           .is_required = true,
           .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}},
    Option{.name = "out",
           .field = field<P, &P::out>,
           .group = Group::output,
           .help = "HTML file. The tables go next to it as .md, .tex and .csv [DIR/report.html]",
           .is_common = true,
           .files = {.does = FileUse::Does::writes,
                     .with = {".html", ".md", ".tex", ".csv"},
                     .otherwise = report_page}},
    spreadsheet_row<P>()};

}  // namespace

template <>
std::span<const Option> table<ReportRequest>() {
  return kReport;
}

}  // namespace molgauge::options
