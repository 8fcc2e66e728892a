/** Styles of the chain's page. */

export const CHAIN_STYLE = `
.hops { list-style: none; padding: 0; display: flex; flex-direction: column; gap: var(--s5); }
.hop { position: relative; }
.hop + .hop::before { content: ""; position: absolute; inset-block-end: 100%; inset-inline-start: 2.375rem; width: 2px; height: var(--s5); background: var(--line); }
.hop-head { display: flex; align-items: center; gap: var(--s3); } .hop-head h2 { font-size: var(--text-l); flex: 1; min-width: 0; }
.number { display: inline-flex; align-items: center; justify-content: center; width: 1.75rem; height: 1.75rem; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-weight: 700; font-size: var(--text-xs); flex: none; }
.js .number { cursor: grab; }
.moves { display: flex; flex: none; } .moves button { min-height: 2.25rem; width: 2.25rem; padding: 0; border-color: transparent; background: none; color: var(--soft); } .moves button:hover:enabled { background: var(--sunken); color: var(--accent); }
.hop.dragged { opacity: .5; } .hop.target { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.feeds { display: flex; flex-wrap: wrap; gap: var(--s2); } .feeds .chip { white-space: normal; overflow-wrap: anywhere; }
.hop .output { border-block-start: 1px solid var(--line); padding-block-start: var(--s4); }
@media (min-width: 60rem) { .hop .workbench > .output { border-block-start: 0; padding-block-start: 0; border-inline-start: 1px solid var(--line); padding-inline-start: var(--s5); } }
.adder { display: flex; gap: var(--s3); align-items: end; } .adder .field { flex: 1; }
.empty { align-items: center; text-align: center; padding-block: var(--s6); }
`;
