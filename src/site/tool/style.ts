/** Styles of the tools' pages: form, files, results. */

export const TOOL_STYLE = `
.tool-head { padding-block-end: var(--s5); } .tool-head ~ .notice, noscript > .notice { margin-block-end: var(--s4); }
.workbench { display: grid; gap: var(--s5); grid-template-columns: minmax(0, 1fr); }
.workbench > .card { align-self: start; width: 100%; } .workbench > .result { align-self: stretch; }
@media (min-width: 60rem) { .workbench { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .workbench.tall { grid-template-columns: minmax(0, 1fr); } }
.result { min-height: 14rem; display: flex; flex-direction: column; gap: var(--s4); }
.result > * { min-width: 0; }
.result:not([data-state]) .waiting, .result[data-state="running"] .running { display: flex; }
.waiting, .running { display: none; flex: 1; flex-direction: column; align-items: center; justify-content: center; gap: var(--s3); text-align: center; color: var(--soft); min-height: 12rem; }
.running progress { max-width: 16rem; }
.output { display: flex; flex-direction: column; gap: var(--s4); } .output > * { min-width: 0; }
.output:empty { display: none; }
.drop { border: 2px dashed var(--control); border-radius: var(--radius-l); padding: var(--s5) var(--s4); display: flex; flex-direction: column; gap: var(--s2); align-items: center; text-align: center; background: var(--surface); }
.drop.over { border-color: var(--accent); background: var(--tint); }
.drop label { color: var(--accent); font-weight: 600; cursor: pointer; text-decoration: underline; text-underline-offset: .2em; }
@media (scripting: enabled) { .drop input[type="file"] { position: absolute; width: 1px; height: 1px; min-height: 0; padding: 0; overflow: hidden; clip-path: inset(50%); } }
.drop:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; }
.files { list-style: none; padding: 0; display: flex; flex-direction: column; gap: var(--s2); }
.files:empty { display: none; }
.drop + .files { margin-block-start: var(--s2); }
@media (min-width: 60rem) { .workbench.tall .fields > .whole { grid-column: auto; } }
.records td { white-space: nowrap; }
.files li { display: flex; align-items: center; gap: var(--s3); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--s2) var(--s2) var(--s2) var(--s3); background: var(--surface); }
.files li.dragged { opacity: .5; } .files li.target { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.files[data-sortable] li { cursor: grab; }
.files img { width: 2.5rem; height: 2.5rem; object-fit: cover; border-radius: .25rem; flex: none; background: var(--sunken); }
.files li > button + button { margin-inline-start: calc(-1 * var(--s3)); }
.files .name { flex: 1; min-width: 0; display: flex; flex-direction: column; line-height: 1.3; font-size: var(--text-s); overflow-wrap: anywhere; }
.files button { min-height: 2.25rem; width: 2.25rem; padding: 0; border-color: transparent; background: none; color: var(--soft); }
.files button:hover { background: var(--sunken); color: var(--accent); }
.range { display: flex; align-items: center; gap: var(--s3); min-height: var(--tap); } .range output { min-width: 3ch; text-align: end; font-variant-numeric: tabular-nums; }
.actions { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: center; }
.actions > :empty { position: absolute; }
@media (max-width: 34rem) { .actions > :is(button, .button) { flex: auto; } .moments.moments { grid-template-columns: minmax(0, 1fr); gap: 0; min-height: calc(12lh + 5 * var(--s3)); } .moments dd + dt { margin-block-start: var(--s3); } }
.moments { min-height: calc(6lh + 5 * var(--s2)); align-content: start; }
.big { font-size: var(--text-3xl); font-weight: 700; line-height: 1.1; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.sizes { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--s1) var(--s3); } .sizes strong { font-size: var(--text-xl); }
.picture { display: flex; justify-content: center; border-radius: var(--radius); overflow: hidden; background: repeating-conic-gradient(var(--sunken) 0 25%, var(--surface) 0 50%) 0 0 / 1.25rem 1.25rem; border: 1px solid var(--line); }
.picture img, .picture video { display: block; max-height: 32rem; object-fit: contain; }
.compare { position: relative; display: grid; justify-items: center; } .compare > img { grid-area: 1 / 1; width: 100%; }
.compare > img { clip-path: inset(0 0 0 var(--split, 50%)); } .compare > img.before { clip-path: inset(0 calc(100% - var(--split, 50%)) 0 0); }
.compare::after { content: ""; position: absolute; inset-block: 0; inset-inline-start: var(--split, 50%); width: 2px; background: var(--accent); }
.pages { display: grid; gap: var(--s3); grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); list-style: none; padding: var(--s1); max-height: 32rem; overflow-y: auto; }
.pages li { display: flex; flex-direction: column; align-items: center; gap: var(--s1); font-size: var(--text-xs); } .pages canvas, .panels canvas { width: 100%; height: auto; background: #fff; border: 1px solid var(--line); border-radius: .25rem; }
.panels { display: grid; gap: var(--s3); grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); list-style: none; padding: 0; }
.panels li { display: flex; flex-direction: column; gap: var(--s1); font-size: var(--text-xs); overflow-wrap: anywhere; } .panels img { border-radius: var(--radius); border: 1px solid var(--line); width: 100%; height: 8rem; object-fit: contain; background: var(--sunken); }
.diff td { font-family: var(--mono); font-size: var(--text-xs); white-space: pre-wrap; overflow-wrap: anywhere; min-width: 9rem; padding: var(--s1) var(--s2); }
.diff th[scope="row"] { width: 1%; padding-inline: 0 var(--s3); text-align: end; font-variant-numeric: tabular-nums; }
.diff .was { background: var(--bad-tint); } .diff .is { background: var(--good-tint); }
.qr-result { align-self: center; background: #fff; padding: var(--s3); border-radius: var(--radius); border: 1px solid var(--line); } .qr-result img { display: block; width: 18rem; max-width: 100%; image-rendering: pixelated; }
.icons { display: grid; gap: var(--s3); grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); list-style: none; padding: 0; } .icons li { border: 1px solid var(--line); border-radius: var(--radius); padding: var(--s3); font-size: var(--text-xs); overflow-wrap: anywhere; } .icons img { height: 4rem; width: auto; max-width: 100%; object-fit: contain; }
.below { display: grid; gap: var(--s7); grid-template-columns: minmax(0, 1fr); padding-block-start: var(--s7); }
@media (min-width: 60rem) { .below { grid-template-columns: minmax(0, var(--prose)) minmax(0, 1fr); } .below > aside { justify-self: end; width: min(20rem, 100%); } }
.below > * > section { content-visibility: auto; contain-intrinsic-size: auto 20rem; animation: later 60ms; }
.below > * > section + section { contain-intrinsic-size: auto 90rem; animation-duration: 120ms; }
#left { display: block; min-height: 2lh; }
.regex { grid-template-columns: minmax(0, 1fr) 6rem; }
.passwords { list-style: none; padding: 0; display: flex; flex-direction: column; gap: var(--s2); }
.marks mark { background: var(--tint); color: inherit; outline: 1px solid var(--accent); border-radius: .125rem; } .marks mark:nth-of-type(even) { background: var(--warn-tint); outline-color: var(--warn); }
`;
