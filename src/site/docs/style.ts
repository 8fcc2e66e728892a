/** Styles of /docs. */

export const DOCS_STYLE = `
.docs { display: grid; gap: var(--s6); grid-template-columns: minmax(0, 1fr); }
.docs > * { min-width: 0; }
@media (min-width: 60rem) { .docs { grid-template-columns: 13rem minmax(0, 1fr); gap: var(--s7); } .contents { position: sticky; top: var(--s5); align-self: start; max-height: calc(100dvh - 2 * var(--s5)); overflow-y: auto; } }
.contents ul { list-style: none; padding: 0; font-size: var(--text-s); }
.contents a { display: block; padding: var(--s2) var(--s3); border-inline-start: 2px solid var(--line); color: var(--soft); text-decoration: none; }
.contents a:hover { color: var(--accent); }
.contents a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.places a { padding-block: var(--s1); padding-inline-start: var(--s5); font-size: var(--text-xs); overflow-wrap: anywhere; }
@media (max-width: 59.99rem) { .contents > ul { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); } .contents a { border: 0; padding-inline: 0; } .places { display: none; } }
.operation { border-top: 1px solid var(--line); padding-block-start: var(--s5); }
.operation h2, .operation h3 { overflow-wrap: anywhere; }
.parameters td:first-child { white-space: nowrap; } .parameters td:last-child { min-width: 14rem; }
`;
