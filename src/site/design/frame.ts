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
.bar > div { display: flex; align-items: center; gap: var(--s2) var(--s5); min-height: 3.75rem; }
.brand { display: inline-flex; align-items: center; gap: var(--s2); font-weight: 700; font-size: var(--text-l); color: var(--ink); text-decoration: none; letter-spacing: -.011em; min-height: var(--tap); }
.brand svg { flex: none; }
.nav { display: flex; gap: var(--s1) var(--s5); margin-inline-start: auto; }
.nav a { color: var(--soft); text-decoration: none; font-size: var(--text-s); font-weight: 500; display: inline-flex; align-items: center; min-height: var(--tap); border-bottom: 2px solid transparent; }
.nav a[aria-current] { color: var(--ink); border-color: var(--accent); }
.icon { display: inline-flex; align-items: center; justify-content: center; width: var(--tap); height: var(--tap); border-radius: var(--radius); color: var(--soft); flex: none; }
.icon + .theme { margin-inline-start: calc(-1 * var(--s4)); }
.theme button { border: 0; background: none; width: var(--tap); height: var(--tap); padding: 0; color: var(--soft); display: flex; align-items: center; justify-content: center; }
:root[data-theme] .theme path { display: none; } :root[data-theme="dark"] .theme circle { fill: currentColor; }
@media (max-width: 34rem) {
  .bar > div { padding-inline: var(--s4); flex-wrap: wrap; row-gap: 0; } .bar .icon { margin-inline-start: auto; }
  .nav { order: 1; width: 100%; margin: 0; justify-content: space-between; }
}
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
