/** What stands around every page: header and navigation, which are painted first, then width and footer. */

/** What the header's first frame needs, the mark beside: it stands in the page itself. */
export const HEADER = `
*, *::before, *::after { box-sizing: border-box; }
html { font: var(--text-m)/1.55 var(--sans); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100dvh; display: flex; flex-direction: column; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: var(--s4); top: -4rem; background: var(--surface); padding: var(--s2) var(--s4); border-radius: var(--radius); z-index: 2; } .skip:focus { top: var(--s2); }
.bar > div { width: 100%; max-width: calc(var(--page) + 2 * var(--s5)); margin-inline: auto; padding-inline: var(--s5); display: grid; grid-template: minmax(3.75rem, auto) / fit-content(25%) minmax(0, 1fr) var(--tap) var(--tap); align-items: center; gap: 0 var(--s2); }
.brand { display: inline-flex; align-items: center; gap: var(--s2); color: var(--ink); text-decoration: none; min-height: var(--tap); }
/* Nothing stands where what is parsed after it would move it: a frame can be drawn of half a header. */
.nav { display: flex; align-self: stretch; gap: var(--s5); margin-inline-start: var(--s6); }
.nav a { color: var(--soft); text-decoration: none; display: inline-flex; align-items: center; padding-block: 2px; }
.nav a[aria-current] { color: var(--ink); padding-bottom: 0; border-bottom: 2px solid var(--accent); }
.icon { display: inline-flex; align-items: center; justify-content: center; width: var(--tap); height: var(--tap); border-radius: var(--radius); color: var(--soft); }
.search-link { grid-area: 1 / -3; } .theme { grid-area: 1 / -2; } .theme .icon { border: 0; background: none; padding: 0; }
/* The icons are drawn of borders, which keep to forced colours too: the first SVG of a page costs its first frame. */
.lens { position: relative; width: 13px; height: 13px; margin: 2px 5px 5px 2px; border: 2px solid; border-radius: 50%; }
.lens::after { content: ""; position: absolute; left: 7px; top: 9.5px; width: 9px; border-top: 2px solid; border-radius: 1px; transform: rotate(45deg); }
.half { width: 16px; height: 16px; border: 2px solid; border-right-width: 8px; border-radius: 50%; }
:root[data-theme] .half { border-right-width: 2px; } :root[data-theme="dark"] .half { border-width: 8px; }
@media (max-width: 42rem) {
  .bar > div { grid-template: repeat(2, minmax(var(--tap), auto)) / minmax(0, 1fr) var(--tap) var(--tap); }
  .nav { grid-area: 2 / 1 / 3 / -1; margin: 0; }
}
@media (max-width: 34rem) { .bar > div { padding-inline: var(--s4); } }
`;

export const FRAME = `
/* Not in the first frame: it would have the header drawn over the whole width for it. */
.bar { background: var(--surface); box-shadow: 0 1px var(--line); }
@media (forced-colors: active) { .bar { border-bottom: 1px solid; } }
.nav a:hover { color: var(--accent); }
.bar .icon:hover { color: var(--accent); background: var(--sunken); }
main, .foot > div { width: 100%; max-width: calc(var(--page) + 2 * var(--s5)); margin-inline: auto; padding-inline: var(--s5); }
main { flex: 1; padding-block: var(--s6) var(--s8); }
.foot { border-top: 1px solid var(--line); color: var(--soft); font-size: var(--text-s); }
.foot > div { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); padding-block: var(--s5); align-items: center; }
.foot a { color: inherit; } .foot p { margin-inline-end: auto; }
@media (max-width: 34rem) { main, .foot > div { padding-inline: var(--s4); } main { padding-block-start: var(--s5); } }
`;
