/** Styles of /developers beside those that every page has. */

export const DEVELOPERS_STYLE = `
.developers { display: flex; flex-direction: column; gap: var(--s6); max-width: 52rem; overflow-wrap: anywhere; }
.developers > h1 + #problem[hidden] + .lead { margin-block-start: calc(-1 * var(--s5)); }
.developers > section { display: flex; flex-direction: column; gap: var(--s3); align-items: flex-start; }
.developers > section > * { max-width: 100%; }
.developers form { display: flex; flex-direction: column; gap: var(--s2); align-items: flex-start; max-width: 100%; }
.developers label { font-weight: 600; font-size: var(--text-s); }
.developers input { max-width: 24rem; }
.developers output { display: block; padding: var(--s3) var(--s4); border-radius: var(--radius); background: var(--sunken); overflow-wrap: anywhere; width: 100%; }
.developers pre { overflow-x: auto; padding: var(--s4); border-radius: var(--radius); background: var(--sunken); font-size: var(--text-xs); width: 100%; }
.developers details, .developers figure { width: 100%; }
.developers details > form, .developers details > p { margin-block-end: var(--s3); }
.developers table { width: auto; min-width: 100%; } .developers td { overflow-wrap: normal; } .developers td:last-child { min-width: 14rem; }
.developers :is(.scroll, .codeblock) { width: 100%; }
.ends { display: flex; justify-content: space-between; font-size: var(--text-xs); color: var(--soft); }
.who { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); align-items: center; justify-content: space-between; }
.developers .notice { border-inline-start: .25rem solid var(--accent); display: flex; flex-direction: column; gap: var(--s3); align-items: flex-start; }
.developers p.notice { display: block; }
.developers .problem { border-color: var(--bad); }
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: var(--s5); width: 100%; }
.ways h3 + * { margin-block-start: var(--s2); } .developers form > input + :is(label, button), .cards + :is(form, h3) { margin-block-start: var(--s2); }
.ways > form { padding: var(--s5); border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); }
.cards { list-style: none; padding: 0; display: flex; flex-direction: column; gap: var(--s3); width: 100%; }
.cards > li { border: 1px solid var(--line); border-radius: var(--radius-l); padding: var(--s4); background: var(--surface); display: flex; flex-direction: column; gap: var(--s3); align-items: stretch; }
.left progress { display: block; }
.state { font-weight: 600; font-size: var(--text-xs); padding: .125rem var(--s2); border-radius: 1rem; background: var(--sunken); color: var(--soft); }
.codes { white-space: pre-line; }
.developers figure > svg { width: 100%; }
.legend { display: flex; flex-wrap: wrap; gap: 0 var(--s4); list-style: none; padding: 0; font-size: var(--text-xs); }
.swatch { display: inline-block; width: .75rem; height: .75rem; }
`;
