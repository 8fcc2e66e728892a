/** The scales of the design: type, spacing, colours, as custom properties, light and dark. */

/** What pictures and the browser's own frame are coloured with beside the pages. */
export const COLOURS = {
  paper: '#faf9f6',
  line: '#dedad2',
  ink: '#1d1c1a',
  soft: '#5b574f',
  accent: '#0a6454',
  onAccent: '#ffffff',
  darkSurface: '#1b1e1c',
  surface: '#ffffff',
};

const { paper, surface, line, ink, soft, accent, onAccent, darkSurface } = COLOURS;

const LIGHT = `
  color-scheme: light;
  --paper: ${paper}; --surface: ${surface}; --sunken: #f2f0eb; --line: ${line}; --control: #8b867c;
  --ink: ${ink}; --soft: ${soft};
  --accent: ${accent}; --accent-hover: #084d41; --on-accent: ${onAccent}; --tint: #e2f0ec;
  --bad: #a8281b; --bad-tint: #fbeae7; --good: #1d6b32; --good-tint: #e5f3e8; --warn: #7a5200; --warn-tint: #fbf1dc;
  --shadow: 0 1px 2px rgb(29 28 26 / .06), 0 4px 16px rgb(29 28 26 / .05);`;

const DARK = `
  color-scheme: dark;
  --paper: #131513; --surface: ${darkSurface}; --sunken: #252926; --line: #363b37; --control: #7d857f;
  --ink: #eceae4; --soft: #aeaca4;
  --accent: #63cdb4; --accent-hover: #86dcc8; --on-accent: #06231c; --tint: #173a32;
  --bad: #ff9a8c; --bad-tint: #3d1d18; --good: #8ad39b; --good-tint: #18341f; --warn: #e6bf6a; --warn-tint: #372b12;
  --shadow: 0 1px 2px rgb(0 0 0 / .4);`;

export const TOKENS = `
:root {
  --text-xs: .8125rem; --text-s: .9375rem; --text-m: 1rem; --text-l: 1.125rem; --text-xl: 1.375rem;
  --text-2xl: 1.75rem; --text-3xl: clamp(1.75rem, 1.3rem + 2.3vw, 2.75rem);
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2rem; --s7: 3rem; --s8: 4.5rem;
  --radius: .5rem; --radius-l: .875rem; --tap: 2.75rem;
  --sans: system-ui, sans-serif;
  --mono: ui-monospace, Menlo, Consolas, monospace;
  --page: 72rem; --prose: 44rem;
}
:root { ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
:root[data-theme="light"] { ${LIGHT} }
:root[data-theme="dark"] { ${DARK} }
`;
