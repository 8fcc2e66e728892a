/** The dozen components that pages are composed of: stack, cluster, card, button, field, notice, chip, code, … */

export const COMPONENTS = `
.stack { display: flex; flex-direction: column; gap: var(--s4); }
.stack > * { min-width: 0; }
.stack.tight { gap: var(--s2); } .stack.loose { gap: var(--s6); } .stack.looser { gap: var(--s7); }
.cluster { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: center; }
.cluster.apart { justify-content: space-between; }
.columns { display: grid; gap: var(--s5); grid-template-columns: minmax(0, 1fr); align-items: start; }
@media (min-width: 60rem) { .columns { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--s6); } }
.grid { display: grid; gap: var(--s4); grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); padding: 0; list-style: none; }
.prose { max-width: var(--prose); overflow-wrap: break-word; }
.prose > * + * { margin-top: var(--s4); }
.prose > * + h2 { margin-top: var(--s6); } .prose > * + h3 { margin-top: var(--s5); }
.prose li + li { margin-top: var(--s1); } .prose li:has(> input) { list-style: none; } .prose li > input { margin-inline: -1.4em .25em; width: 1rem; height: 1rem; vertical-align: -.125em; } .prose ul, .prose ol { padding-inline-start: 1.4em; }
.prose pre { overflow-x: auto; padding: var(--s4); border-radius: var(--radius); background: var(--sunken); line-height: 1.5; }
.prose :not(pre) > code { padding: .1em .3em; border-radius: .25rem; background: var(--sunken); overflow-wrap: anywhere; }
.prose .wide { overflow-x: auto; } .prose .wide td > code { white-space: nowrap; overflow-wrap: normal; } .prose .wide td:last-child { min-width: 9rem; }
.soft { color: var(--soft); } .small { font-size: var(--text-s); } .fine { font-size: var(--text-xs); }
.breaks { overflow-wrap: anywhere; }
.lead { font-size: var(--text-l); color: var(--soft); max-width: 42rem; }

.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-l); padding: var(--s5); box-shadow: var(--shadow); min-width: 0; }
a.card { display: block; color: inherit; text-decoration: none; padding: var(--s4); box-shadow: none; height: 100%; }
a.card:hover { border-color: var(--accent); }
a.card strong { display: block; color: var(--accent); margin-block-end: var(--s1); line-height: 1.3; }
a.card strong > svg { vertical-align: -.35em; margin-inline-end: var(--s2); }
a.card .stamp { display: block; margin-block-start: var(--s2); }
@media (max-width: 30rem) { .card { padding: var(--s4); } }

.button, button { font: inherit; font-weight: 600; min-height: var(--tap); padding: var(--s2) var(--s4); border-radius: var(--radius); border: 1px solid var(--control); background: var(--surface); color: var(--ink); cursor: pointer; display: inline-flex; align-items: center; justify-content: center; gap: var(--s2); text-decoration: none; }
.button:hover, button:hover { border-color: var(--accent); color: var(--accent); }
.button.main, button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.main:hover, button.main:hover { background: var(--accent-hover); border-color: var(--accent-hover); color: var(--on-accent); }
button.quiet, .button.quiet { border-color: transparent; background: none; color: var(--accent); }
button.quiet:hover { background: var(--tint); }
button.small { min-height: 2.25rem; padding: var(--s1) var(--s3); font-size: var(--text-s); }
button.danger { color: var(--bad); border-color: var(--bad); }
button.danger:hover { background: var(--bad-tint); }
button:disabled { opacity: .55; cursor: default; }

.field { display: flex; flex-direction: column; gap: var(--s1); min-width: 0; }
.field > label, .label { font-weight: 600; font-size: var(--text-s); }
.field .hint, .hint { color: var(--soft); font-size: var(--text-xs); font-weight: 400; }
.field .error { color: var(--bad); font-size: var(--text-s); font-weight: 600; }
.fields { display: grid; gap: var(--s4) var(--s5); grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); align-items: start; align-content: start; }
.fields > .whole { grid-column: 1 / -1; }
input, select, textarea { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--control); border-radius: var(--radius); padding: var(--s2) var(--s3); min-height: var(--tap); width: 100%; min-width: 0; }
textarea { resize: vertical; line-height: 1.45; display: block; }
textarea.code, input.code { font-family: var(--mono); font-size: .9em; }
input::placeholder, textarea::placeholder { color: var(--soft); opacity: 1; }
[aria-invalid="true"] { border-color: var(--bad); outline-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
input[type="checkbox"], input[type="radio"] { width: 1.25rem; height: 1.25rem; min-height: 0; margin: 0; accent-color: var(--accent); flex: none; }
input[type="range"] { padding: 0; border: 0; accent-color: var(--accent); background: none; }
input[type="file"] { padding: var(--s2); }
.check { display: flex; gap: var(--s3); align-items: center; min-height: 2.25rem; }
.check label { font-weight: 600; font-size: var(--text-s); }

.notice { border-radius: var(--radius); padding: var(--s3) var(--s4); background: var(--tint); overflow-wrap: anywhere; }
.notice.bad, .notice.problem { background: var(--bad-tint); color: var(--bad); }
.notice.warn { background: var(--warn-tint); color: var(--warn); }
.notice h2 { font-size: var(--text-l); }
.chip { display: inline-flex; align-items: center; gap: var(--s1); font-size: var(--text-xs); font-weight: 600; padding: .125rem var(--s2); border-radius: 1rem; background: var(--sunken); color: var(--soft); white-space: nowrap; }
.chip.good { background: var(--good-tint); color: var(--good); } .chip.bad { background: var(--bad-tint); color: var(--bad); } .chip.accent { background: var(--tint); color: var(--accent); }
.codeblock { display: flex; align-items: flex-start; border-radius: var(--radius); background: var(--sunken); min-width: 0; }
/* Its room is kept for when scripts are there. */
:root:not(.js) [data-copy] { visibility: hidden; }
.codeblock .scroll, .codeblock > pre { flex: 1; min-width: 0; border-radius: var(--radius); max-height: 32rem; overflow: auto; }
.codeblock pre { padding: var(--s4); line-height: 1.5; font-size: var(--text-xs); tab-size: 2; }
.codeblock .scroll > pre { width: max-content; min-width: 100%; }
.codeblock pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; width: auto; font-size: var(--text-s); min-height: 3.25rem; }
.codeblock button { flex: none; margin: var(--s2); }
.facts { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: var(--s2) var(--s5); font-size: var(--text-s); }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
fieldset.plain { border: 0; padding: 0; margin: 0; min-width: 0; }
details > summary { cursor: pointer; font-weight: 600; padding: var(--s2) 0; min-height: var(--tap); display: flex; align-items: center; gap: var(--s2); list-style: none; }
details > summary::-webkit-details-marker { display: none; }
details > summary::before { content: ""; width: .5rem; height: .5rem; border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(-45deg); flex: none; margin-inline: .25rem; }
details[open] > summary::before { transform: rotate(45deg); }
.accordion > details { border-bottom: 1px solid var(--line); } .accordion > details > :last-child { margin-bottom: var(--s4); }
/* Laid out after the first paint, in parts, and only where it is near. */
@keyframes later { from, to { content-visibility: hidden; } }
/* But at once where an address names a place in the page: what is hidden cannot be scrolled to. */
:root:has(:target) main section { animation-duration: 0s; }
progress { width: 100%; height: .5rem; accent-color: var(--accent); }
`;
