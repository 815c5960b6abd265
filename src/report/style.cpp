#include "report/page.h"

namespace hushwalk::report {

const std::string_view style_sheet = R"css(
:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfdfb, #16181b);
  --raised: light-dark(#f4f4f0, #1f2226);
  --ink: light-dark(#1d1f21, #e4e4e0);
  --quiet: light-dark(#5b6068, #a3a8b0);
  --line: light-dark(#dddcd5, #34383e);
  --accent: light-dark(#00598c, #7cc4f2);
  --warn: light-dark(#a33b00, #ffa066);
  --warn-paper: light-dark(#fff1e8, #33211a);
  --serif: Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, "DejaVu Serif", serif;
  --sans: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body {
  position: relative; margin: 0 auto; padding: 4rem 1.25rem 5rem; max-width: 48rem;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 var(--serif); overflow-wrap: break-word;
}
h1, h2, h3, nav, dl, table, summary, .badge, .note, .save, .theme { font-family: var(--sans); }
h1 { margin: 0 0 1rem; font-size: clamp(1.7rem, 5vw, 2.3rem); line-height: 1.15; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.25; letter-spacing: -.01em; }
h3 { margin: 0 0 .75rem; font-size: 1.08rem; line-height: 1.35; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .15em; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: .86em/1.5 var(--mono); background: var(--raised); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere; }
section { margin-top: 4rem; }
figure { margin: 2rem 0 3.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
figcaption { margin: .75rem 0 .9rem; }
figure:target { border-top-color: var(--accent); }

dl.facts { margin: 0 0 1rem; font-size: .84rem; line-height: 1.5; color: var(--quiet); }
dl.facts div { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); }
dl.facts dd { margin: 0; color: var(--ink); }

nav.contents { margin: 2.5rem 0 0; font-size: .9rem; line-height: 1.4; }
nav.contents h2 { font-size: .78rem; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; color: var(--quiet); }
nav.contents ol { list-style: none; margin: 0; padding: 0; }
nav.contents > ol > li { margin-bottom: .8rem; font-weight: 600; }
nav.contents ol ol { margin-top: .2rem; font-weight: 400; }
nav.contents a { display: block; padding: .22rem 0; color: var(--ink); text-decoration: none; }
nav.contents ol ol a { color: var(--quiet); }
nav.contents a:hover { color: var(--accent); text-decoration: underline; }

.badge {
  display: inline-block; margin-left: .4rem; padding: .1rem .5rem; border-radius: 3px; vertical-align: .1em;
  background: var(--warn); color: var(--paper); font-size: .72rem; font-weight: 700; letter-spacing: .03em; white-space: nowrap;
}
.warning { border-left: 4px solid var(--warn); background: var(--warn-paper); padding: .7rem 1rem; font-size: .98rem; }
.warning strong { color: var(--warn); }
figure.wrong .plots { outline: 1.5px dashed var(--warn); outline-offset: 6px; border-radius: 2px; }

.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem; margin: .25rem 0 1rem; }
.plots[hidden] { display: none; }
.plot { min-width: 0; }
.plot .vega-embed.has-actions { display: block; padding: 0; }
.plot .vega-embed details { top: -4px; }
.plot .vega-embed summary { opacity: .75; box-shadow: none; border-color: var(--line); background: var(--paper); color: var(--ink); }
.plot .vega-embed .vega-actions { border-color: var(--line); background: var(--paper); box-shadow: 0 2px 10px rgb(0 0 0 / .2); }
.plot .vega-embed .vega-actions::before, .plot .vega-embed .vega-actions::after { display: none; }
.plot .vega-embed .vega-actions a { color: var(--ink); font: .84rem var(--sans); }
.plot .vega-embed .vega-actions a:hover { background: var(--raised); color: var(--ink); }
.note { margin: 0 0 .5rem; font-size: .8rem; color: var(--quiet); }

details.data summary { cursor: pointer; width: fit-content; padding: .3rem 0; font-size: .84rem; color: var(--accent); }
details.data[open] summary { margin-bottom: .4rem; }
details.data .scroll { max-height: 32rem; }
.scroll {
  --shade: light-dark(rgb(0 0 0 / .22), rgb(255 255 255 / .28)); overflow: auto; border: 1px solid var(--line); border-radius: 4px;
  background: linear-gradient(to right, var(--paper) 30%, transparent) left / 2.5rem 100%, linear-gradient(to left, var(--paper) 30%, transparent) right / 2.5rem 100%,
    linear-gradient(to right, var(--shade), transparent) left / .9rem 100%, linear-gradient(to left, var(--shade), transparent) right / .9rem 100%;
  background-repeat: no-repeat; background-attachment: local, local, scroll, scroll;  /* a shadow where there is more to see */
}
table { border-collapse: collapse; width: 100%; font-size: .84rem; line-height: 1.4; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .8rem; text-align: left; vertical-align: top; }
td { border-top: 1px solid var(--line); white-space: nowrap; }
td.long { min-width: 16rem; white-space: normal; overflow-wrap: anywhere; }
thead th { position: sticky; top: 0; background: var(--raised); font-weight: 600; vertical-align: bottom; }
th.number, td.number { text-align: right; }
td.missing { text-align: right; font-style: italic; color: var(--quiet); }
.save { margin: .5rem 0 0; font-size: .84rem; }

.theme {
  position: absolute; top: .9rem; right: 1.25rem; width: 2.5rem; height: 2.5rem; padding: 0; border-radius: 50%; cursor: pointer;
  border: 1px solid var(--line); background: var(--paper); color: var(--ink); font-size: 1.05rem; line-height: 1;
}

@media (min-width: 72rem) {
  body { max-width: 72rem; display: grid; grid-template-columns: 14.5rem minmax(0, 1fr); column-gap: 4rem; }
  header, main { grid-column: 2; max-width: 50rem; }
  nav.contents { grid-column: 1; grid-row: 1 / span 2; margin: .4rem 0 0; }
  nav.contents { position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow-y: auto; }
}
@media print {
  .theme, nav.contents, .save, .vega-embed details { display: none !important; }
  details.data .scroll { max-height: none; overflow: visible; }
  figure { break-inside: avoid; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
)css";

}  // namespace hushwalk::report
