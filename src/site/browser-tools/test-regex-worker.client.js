/** Runs one expression over one text, apart from the page, so that one that never ends can be stopped. */
const MOST = 1000;

postMessage({ ready: true });

addEventListener('message', ({ data: { id, pattern, flags, text, replacement } }) => {
  try {
    const global = flags.includes('g') || flags.includes('y');
    const matches = [];
    const regex = new RegExp(pattern, flags);
    for (;;) {
      const match = regex.exec(text);
      if (!match) break;
      matches.push({
        at: match.index,
        text: match[0],
        groups: match.slice(1).map((group) => group ?? null),
        names: match.groups ? { ...match.groups } : {},
      });
      if (match[0] === '') regex.lastIndex = after(text, regex.lastIndex, flags);
      if (!global || matches.length === MOST) break;
    }
    const replaced =
      replacement === '' ? null : text.replace(new RegExp(pattern, flags), replacement);
    postMessage({ id, matches, replaced, more: matches.length === MOST });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
});

/** Where the search goes on after an empty match: a whole code point further where the expression sees those. */
function after(text, at, flags) {
  const isPair = /[uv]/.test(flags) && text.codePointAt(at) > 0xffff;
  return at + (isPair ? 2 : 1);
}
