/** A model's answer without what models put around it: thoughts, fences, preambles, quotation marks. */

const THOUGHTS = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/i;
const OPEN_THOUGHTS = /^\s*<(think|thinking|reasoning)>/i;
/** A whole answer in a fence; the closing one is missing where the answer was cut off. */
const FENCE = /^(`{3,}|~{3,})[\w+-]*[ \t]*\n([\s\S]*?)(?:\n?\1[ \t]*)?$/;
const COURTESIES = 'sure(?: thing)?|certainly|of course|absolutely|okay|ok|gladly|happy to help';
/** What a preamble is about. "Here is what we need:" is no preamble. */
const ANSWERS =
  'text|version|passage|paragraph|rewrite|rewritten|e-?mail|draft|body|outline|query|statement|sql|blocks?|lorem|sentences?|filler|prose|asked|requested';
/** "Sure! Here is the email:", "Rewritten text:" */
const PREAMBLE = new RegExp(
  `^(?:(?:${COURTESIES})[!.,]?\\s+)?(?:here you go|(?:here(?:['’]s| is| are)|below (?:is|are)|this is)` +
    `(?=[^\\n]*\\b(?:${ANSWERS})\\b)|(?:the )?(?:rewritten|revised|humanized) (?:text|version|passage))` +
    '\\b[^\\n]{0,160}:[*_]*[ \\t]*\\n+',
  'i',
);
/** "Sure!" on a line of its own. */
const COURTESY = new RegExp(`^(?:${COURTESIES})[!.,][ \\t]*\\n+`, 'i');
/** What is said about the answer behind it; a letter's own "Let me know if it suits you" stays. */
const OFFER =
  /\n[ \t]*(?:let me know if (?:you(?:['’]d| would) like|you want|you need) (?:me to|any (?:changes|further (?:changes|adjustments|revisions)|adjustments|revisions|edits|modifications))|would you like me to|feel free to (?:adjust|modify|edit|customi[sz]e))\b[^\n]*$/i;
const QUOTES: Record<string, string> = { '"': '"', '“': '”', '«': '»', '„': '“', '「': '」' };

/** Without the thoughts that some models send before the answer; nothing is left where they do not end. */
export function withoutThoughts(text: string): string {
  const rest = text.replace(THOUGHTS, '');
  return OPEN_THOUGHTS.test(rest) ? '' : rest;
}

/** The answer itself. `source` is the caller's own text: what already stood there is not taken away. */
export function cleanAnswer(text: string, source = ''): string {
  const whole = text.replaceAll('\r\n', '\n').trim();
  const answer = unquoted(unfenced(withoutPreamble(whole, source)), source);
  const offer = OFFER.exec(answer)?.[0] ?? '';
  const kept =
    offer === '' || source.includes(offer.trim()) ? answer : answer.slice(0, -offer.length);
  return kept.trim() || whole;
}

export const unfenced = (text: string): string => FENCE.exec(text.trim())?.[2]?.trim() ?? text;

function withoutPreamble(text: string, source: string): string {
  const rest = text.replace(COURTESY, '').replace(PREAMBLE, '').trim();
  const preamble = text.slice(0, text.length - rest.length).trim();
  // A preamble alone is the answer.
  return rest === '' || (preamble !== '' && source.includes(preamble)) ? text : rest;
}

/** Without one pair of quotation marks around the whole, unless the source has them too. */
function unquoted(text: string, source: string): string {
  const close = QUOTES[text[0] ?? ''];
  if (!close || text.length < 2 || !text.endsWith(close)) return text;
  const inside = text.slice(1, -1);
  const own = source.trim().startsWith(text[0] as string);
  // Marks inside belong to quotations: the outer ones may be the first's and the last's.
  return own || inside.includes(text[0] as string) || inside.includes(close) ? text : inside.trim();
}

/** The JSON in an answer, whatever stands around it; undefined where there is none. */
export function embeddedJson(text: string): unknown {
  for (const candidate of [text, unfenced(text), outermost(text)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one may be it.
    }
  }
  return undefined;
}

function outermost(text: string): string {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return start < 0 ? '' : text.slice(start, end + 1);
}
