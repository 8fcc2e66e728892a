/** What stands around every page: header and navigation, which are painted first, then width and footer. */

/** All that the header needs: it stands in the page itself. */
export const HEADER = `
*, *::before, *::after { box-sizing: border-box; }
html { font: var(--text-m)/1.55 var(--sans); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100dvh; display: flex; flex-direction: column; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: var(--s4); top: -4rem; background: var(--surface); padding: var(--s2) var(--s4); border-radius: var(--radius); z-index: 2; }
.bar { border-bottom: 1px solid var(--line); background: var(--surface); }
.bar > div { width: 100%; max-width: calc(var(--page) + 2 * var(--s5)); margin-inline: auto; padding-inline: var(--s5); }
.bar > div { display: grid; grid-template: minmax(3.75rem, auto) / max-content minmax(0, 1fr) var(--tap) var(--tap); align-items: center; gap: 0 var(--s2); }
.brand { display: inline-flex; align-items: center; gap: var(--s2); color: var(--ink); text-decoration: none; min-height: var(--tap); }
.brand svg { flex: none; }
/* Nothing stands where what is parsed after it would move it: a frame can be drawn of half a header. */
.nav { display: flex; align-self: stretch; gap: var(--s5); margin-inline-start: var(--s6); }
.nav a { color: var(--soft); text-decoration: none; display: inline-flex; align-items: center; border-block: 2px solid transparent; }
.nav a[aria-current] { color: var(--ink); border-bottom-color: var(--accent); }
.icon { display: inline-flex; align-items: center; justify-content: center; width: var(--tap); height: var(--tap); border-radius: var(--radius); color: var(--soft); }
.bar .icon { grid-area: 1 / -3; } .theme { grid-area: 1 / -2; }
.theme button { border: 0; background: none; width: var(--tap); height: var(--tap); padding: 0; color: var(--soft); display: flex; align-items: center; justify-content: center; }
:root[data-theme] .theme path { display: none; } :root[data-theme="dark"] .theme circle { fill: currentColor; }
@media (max-width: 42rem) {
  .bar > div { grid-template: repeat(2, minmax(var(--tap), auto)) / minmax(0, 1fr) var(--tap) var(--tap); }
  .nav { grid-area: 2 / 1 / 3 / -1; margin: 0; }
}
@media (max-width: 34rem) { .bar > div { padding-inline: var(--s4); } }
`;

export const FRAME = `
.skip:focus { top: var(--s2); }
.nav a:hover { color: var(--accent); }
.icon:hover, .theme button:hover { color: var(--accent); background: var(--sunken); }
main, .foot > div { width: 100%; max-width: calc(var(--page) + 2 * var(--s5)); margin-inline: auto; padding-inline: var(--s5); }
main { flex: 1; padding-block: var(--s6) var(--s8); }
.foot { border-top: 1px solid var(--line); color: var(--soft); font-size: var(--text-s); }
.foot > div { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s5); padding-block: var(--s5); align-items: center; }
.foot a { color: inherit; } .foot p { margin-inline-end: auto; }
@media (max-width: 34rem) { main, .foot > div { padding-inline: var(--s4); } main { padding-block-start: var(--s5); } }
`;
