/** How the elements of HTML look by themselves. */

export const ELEMENTS = `
h1, h2, h3, h4 { line-height: 1.2; margin: 0; letter-spacing: -.011em; }
h1 { font-size: var(--text-2xl); text-wrap: balance; }
h2 { font-size: var(--text-xl); }
h3 { font-size: var(--text-l); }
h4 { font-size: var(--text-m); }
p, ul, ol, dl, figure, pre { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: from-font; }
a:hover { color: var(--accent-hover); text-decoration-thickness: 2px; }
code, pre, output, samp, kbd { font-family: var(--mono); font-size: .9em; }
kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: .25rem; padding: 0 .375rem; background: var(--surface); }
img, video, svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; font-size: var(--text-s); }
th, td { text-align: start; vertical-align: top; padding: var(--s2) var(--s4) var(--s2) 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); font-size: var(--text-xs); }
hr { border: 0; border-top: 1px solid var(--line); margin: var(--s5) 0; }
blockquote { margin: 0; padding-inline-start: var(--s4); border-inline-start: 3px solid var(--line); color: var(--soft); }
:target { scroll-margin-top: var(--s5); }
[hidden] { display: none !important; }
/* What needs scripts is there from the first paint on, where there are any. */
@media (scripting: enabled) { span[data-js][hidden] { display: inline !important; } :is(search, details)[data-js][hidden] { display: block !important; } .field[data-js][hidden] { display: flex !important; } button[data-js][hidden] { display: inline-flex !important; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
