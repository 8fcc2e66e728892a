/** Styles of /developers beside those that every page has. */

export const DEVELOPERS_STYLE = `
main { overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
input { display: block; font: inherit; padding: .5rem .75rem; border: 1px solid GrayText; border-radius: .375rem; box-sizing: border-box; width: 100%; max-width: 24rem; }
button { margin-top: .5rem; min-height: 2.75rem; }
details { margin: .5rem 0; }
summary { cursor: pointer; padding: .5rem 0; }
figure { margin: 0; }
svg { width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .9375rem; }
th, td { text-align: start; padding: .25rem .75rem .25rem 0; vertical-align: top; overflow-wrap: normal; }
td:last-child { min-width: 14rem; }
.ends { display: flex; justify-content: space-between; margin: 0; font-size: .9375rem; }
.scroll { overflow-x: auto; }
.bar { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; justify-content: space-between; }
.notice { border-inline-start: .25rem solid Highlight; padding: .5rem 1rem; margin: 1rem 0; background: color-mix(in srgb, Highlight 10%, Canvas); }
.notice h2 { margin-top: 0; }
.problem { border-color: #c00; background: color-mix(in srgb, #c00 10%, Canvas); }
.danger { border-color: #c00; }
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 0 2rem; }
.cards { list-style: none; padding: 0; }
.cards li { border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); border-radius: .375rem; padding: .25rem 1rem .5rem; margin: .5rem 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
.facts dt { margin: 0; font-weight: 400; }
.left progress { display: block; width: 100%; }
.state { font-weight: 400; font-size: .875rem; padding: 0 .5rem; border: 1px solid; border-radius: 1rem; }
.hint { font-weight: 400; }
.codes { white-space: pre-line; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; padding: 0; font-size: .9375rem; }
.swatch { display: inline-block; width: .75rem; height: .75rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none; }
`;
