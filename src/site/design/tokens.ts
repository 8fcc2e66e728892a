/** The design tokens: type, spacing and colours as custom properties, light and dark. */

/** The colours used in images and by the browser, besides the pages. */
export const COLOURS = {
  paper: '#faf9f6',
  line: '#dedad2',
  ink: '#1d1c1a',
  soft: '#5b574f',
  accent: '#0a6454',
  onAccent: '#ffffff',
};

const { paper, line, ink, soft, accent, onAccent } = COLOURS;

export const TOKENS = `
:root {
  color-scheme: light dark;
  --paper: light-dark(${paper}, #131513); --surface: light-dark(#ffffff, #1b1e1c); --sunken: light-dark(#f2f0eb, #252926);
  --line: light-dark(${line}, #363b37); --control: light-dark(#8b867c, #7d857f); --ink: light-dark(${ink}, #eceae4); --soft: light-dark(${soft}, #aeaca4);
  --accent: light-dark(${accent}, #63cdb4); --accent-hover: light-dark(#084d41, #86dcc8); --on-accent: light-dark(${onAccent}, #06231c); --tint: light-dark(#e2f0ec, #173a32);
  --bad: light-dark(#a8281b, #ff9a8c); --bad-tint: light-dark(#fbeae7, #3d1d18); --good: light-dark(#1d6b32, #8ad39b); --good-tint: light-dark(#e5f3e8, #18341f);
  --warn: light-dark(#7a5200, #e6bf6a); --warn-tint: light-dark(#fbf1dc, #372b12);
  --shadow: 0 1px 2px light-dark(rgb(29 28 26 / .06), rgb(0 0 0 / .4)), 0 4px 16px light-dark(rgb(29 28 26 / .05), transparent);
  --text-xs: .8125rem; --text-s: .9375rem; --text-m: 1rem; --text-l: 1.125rem; --text-xl: 1.375rem;
  --text-2xl: 1.75rem; --text-3xl: clamp(1.75rem, 1.3rem + 2.3vw, 2.75rem);
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2rem; --s7: 3rem; --s8: 4.5rem;
  --radius: .5rem; --radius-l: .875rem; --tap: 2.75rem;
  --sans: system-ui, sans-serif;
  --mono: ui-monospace, Menlo, Consolas, monospace;
  --page: 72rem; --prose: 44rem;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
`;
