#include "pages/toolkit/page.h"

namespace headroom::page {

/// The series colours are those of Okabe and Ito (2008), which colour-blind readers tell apart, lightened for
/// the dark theme; dashes tell them apart on paper.
std::string_view style_sheet() {
  return R"(:root {
  --paper: #ffffff; --ink: #1c2024; --soft: #5c656e; --rule: #d9dde1; --panel: #f6f7f8; --link: #0b5cad;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b5629a; --c4: #b97f00; --c5: #3f97cc; --c6: #5c656e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --ink: #e6e8ea; --soft: #a0a8b0; --rule: #363c42; --panel: #1d2125; --link: #7db8f0;
    --c0: #56b4e9; --c1: #f08a4b; --c2: #37c298; --c3: #dc9dc4; --c4: #e6b33d; --c5: #9fd2f2; --c6: #a0a8b0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 70rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word;
}
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 3rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--rule); font-weight: 600; }
h3 { font-size: 1rem; margin: 2rem 0 .5rem; font-weight: 600; overflow-wrap: anywhere; }
p, ul, dl { max-width: 46rem; }
li { overflow-wrap: anywhere; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
.subtitle { color: var(--soft); margin: .35rem 0 0; }
nav ul { max-width: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 1.25rem 0 0; padding: 0; }
.scroll { overflow-x: auto; margin: 1rem 0 1.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .5rem; }
th, td { padding: .35rem 1.25rem .35rem 0; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--rule); }
th { font-weight: 500; color: var(--soft); border-bottom-color: var(--soft); vertical-align: bottom; }
th.number, td.number { text-align: right; }
th:last-child, td:last-child { padding-right: 0; }
td.number { white-space: nowrap; }
td:first-child { min-width: 9rem; }
strong { font-weight: 700; color: var(--ink); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1.5rem 2rem; margin: 1rem 0; }
.gallery { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1.5rem 2rem; margin: .5rem 0 1.5rem; }
figure { margin: 0; min-width: 0; max-width: 30rem; break-inside: avoid; }
figure > svg { display: block; width: 100%; height: auto; }
figcaption { font-size: .85rem; line-height: 1.45; color: var(--soft); margin-top: .35rem; overflow-wrap: anywhere; }
figcaption code { display: block; margin-top: .2rem; font: .75rem/1.4 ui-monospace, Menlo, Consolas, monospace; word-break: break-all; }
.figure-title { margin: 0 0 .25rem; font-size: .9rem; font-weight: 600; overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; list-style: none; margin: 0 0 .35rem; padding: 0; font-size: .85rem; }
.legend li { display: flex; align-items: center; gap: .4rem; min-width: 0; }
.legend svg { width: 1.75rem; height: .625rem; flex: none; }
svg text { font-size: 11px; fill: var(--ink); }
svg .tick { font-size: 10.5px; fill: var(--soft); font-variant-numeric: tabular-nums; }
svg .title { fill: var(--soft); }
svg .value { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--rule); stroke-width: .75; fill: none; }
svg .axis { stroke: var(--soft); stroke-width: 1; fill: none; }
svg .reference { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 1 3; fill: none; }
svg .line { stroke: var(--c); stroke-width: 1.75; fill: none; stroke-linejoin: round; }
svg .area { fill: var(--c); fill-opacity: .16; stroke: none; }
svg .bar-line { stroke: var(--c); stroke-width: 1.5; fill: none; }
svg .mark, svg .bar { fill: var(--c); }
svg .hollow { fill: none; stroke: var(--c); stroke-width: 1.5; }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); }
.s4 { --c: var(--c4); } .s5 { --c: var(--c5); } .s6 { --c: var(--c6); }
svg .line.s1 { stroke-dasharray: 7 2.5; } svg .line.s2 { stroke-dasharray: 2.5 2; } svg .line.s3 { stroke-dasharray: 9 2 2 2; }
svg .line.s4 { stroke-dasharray: 4.5 2; } svg .line.s5 { stroke-dasharray: 1.5 2.5; } svg .line.s6 { stroke-dasharray: 9 2 2 2 2 2; }
details { margin: .75rem 0; border-left: 2px solid var(--rule); padding-left: .9rem; }
summary { cursor: pointer; color: var(--link); overflow-wrap: anywhere; }
pre { overflow-x: auto; background: var(--panel); padding: .9rem; font: .8rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
dl { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr; gap: .15rem 1rem; font-size: .9rem; }
dt { color: var(--soft); overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
@media screen and (max-width: 40rem) {
  /* A row becomes a block of its own, a cell a line with the name of its column. */
  table, caption, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--rule); }
  td, td.number { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; text-align: right; overflow-wrap: anywhere; }
  td::before { content: attr(data-name); color: var(--soft); flex: none; }
  td:first-child { font-weight: 600; text-align: left; display: block; }
  td:first-child::before { content: none; }
  .gallery { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.25rem; }
}
@media print {
  :root {
    --paper: #ffffff; --ink: #000000; --soft: #444444; --rule: #dddddd; --panel: #ffffff; --link: #000000;
    --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b5629a; --c4: #b97f00; --c5: #3f97cc; --c6: #444444;
  }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; }
  tr { break-inside: avoid; }
  th, td { padding-right: .75rem; }
  p { break-after: avoid; }
  nav { display: none; }
  h2, h3 { break-after: avoid; }
  .scroll, pre { overflow: visible; }
  pre { white-space: pre-wrap; }
  .figures { grid-template-columns: 1fr 1fr; }
}
)";
}

}  // namespace headroom::page
