/** Styles of the search, as a page and as a dialog. */

export const SEARCH_STYLE = `
.search-form { display: flex; gap: var(--s3); } .search-form button { flex: none; }
.group { font-size: var(--text-s); color: var(--soft); font-weight: 600; }
.prose .hits, .hits { list-style: none; padding: 0; margin: 0; display: flex; flex-direction: column; gap: var(--s1); }
.hits a { display: block; padding: var(--s2) var(--s3); margin-inline: calc(-1 * var(--s3)); border-radius: var(--radius); text-decoration: none; color: var(--ink); overflow-wrap: anywhere; }
.hits a:hover, .hits a:focus { background: var(--tint); } .hits strong { color: var(--accent); } .hits .text { display: block; }
.search-dialog { width: min(44rem, calc(100vw - 2 * var(--s4))); max-height: min(40rem, 80dvh); margin-block-start: 10dvh; padding: var(--s5); border: 1px solid var(--line); border-radius: var(--radius-l); background: var(--surface); color: var(--ink); box-shadow: var(--shadow); overflow-y: auto; }
.search-dialog::backdrop { background: rgb(0 0 0 / .4); }
.search-dialog .found:not(:empty) { margin-block-start: var(--s5); }
@media (max-width: 34rem) { .search-dialog { padding: var(--s4); margin-block-start: var(--s4); } }
`;
