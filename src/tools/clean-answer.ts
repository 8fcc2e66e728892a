/** Removes the code fences, preambles, offers and quotation marks that models put around their text. */

/** Matches a line that opens a code fence. */
const FENCE_OPENS = /^(`{3,}|~{3,})[\w+-]*[ \t]*\n/;
const FENCE_LINE = /^[ \t]*(`{3,}|~{3,})([^\n]*)$/gm;
const COURTESIES = 'sure(?: thing)?|certainly|of course|absolutely|okay|ok|gladly|happy to help';
/** Nouns that refer to the answer in a preamble. "Here is what we need:" is not a preamble. */
const ANSWERS =
  'text|version|passage|paragraph|rewrite|rewritten|e-?mail|draft|body|outline|query|statement|sql|blocks?|lorem|sentences?|filler|prose|asked|requested';
/** Matches "Sure! Here is the email:" and "Rewritten text:". */
const PREAMBLE = new RegExp(
  `^(?:(?:${COURTESIES})[!.,]?\\s+)?(?:here you go|(?:here(?:['’]s| is| are)|below (?:is|are)|this is)` +
    `(?=[^\\n]*\\b(?:${ANSWERS})\\b)|(?:the )?(?:rewritten|revised|humanized) (?:text|version|passage))` +
    '\\b[^\\n]{0,160}:[*_]*[ \\t]*\\n+',
  'i',
);
/** Matches "Certainly! Below is a draft of the email for you." */
const SENTENCE = new RegExp(
  `^(?:${COURTESIES})[!.,]?\\s+(?:here(?:['’]s| is| are)|below (?:is|are)|this is)` +
    `(?=[^\\n]*\\b(?:${ANSWERS}|draft)\\b)\\b[^\\n]{0,160}\\.[ \\t]*\\n[ \\t]*\\n\\s*`,
  'i',
);
/** Matches "Sure!" on its own line. */
const COURTESY = new RegExp(`^(?:${COURTESIES})[!.,][ \\t]*\\n+`, 'i');
/**
 * Match the first line of a source text that looks like a courtesy, a sentence or a preamble. The model's rewritten
 * form of such a line must not be removed.
 */
const OWN_COURTESY = /^[^\s.!?]+(?: [^\s.!?]+){0,3}[.!][ \t]*\n/;
const OWN_SENTENCE = /^[^\n]*[.!:][ \t]*\n/;
const OWN_PREAMBLE = /^[^\n]{1,200}:[*_]*[ \t]*\n/;
/**
 * Matches the model's offer of changes after its text. "Let me know if it suits you" belongs to a letter and does not
 * match.
 */
const OFFER =
  /\n[ \t]*(?:let me know if (?:you(?:['’]d| would) like|you want|you need) (?:me to|any (?:changes|further (?:changes|adjustments|revisions)|adjustments|revisions|edits|modifications))|would you like me to|feel free to (?:adjust|modify|edit|customi[sz]e))\b[^\n]*$/i;
/**
 * Matches similar phrases in a source text. If the source contains one, an offer in the answer may be its rewritten
 * form.
 */
const OWN_OFFER =
  /\b(?:let (?:me|us) know|would you like|feel free|(?:adjust|adapt|modif|edit|customi[sz]|chang|alter|amend|revis|tweak)\w*)\b/i;
const QUOTES: Record<string, string> = { '"': '"', '“': '”', '«': '»', '„': '“', '「': '」' };

/**
 * Returns the answer without the model's additions. `source` is the text that the model rewrote. A phrase that has a
 * counterpart in the source is not removed.
 * @param isOffer whether a final offer comes from the model, judged by the text before it
 */
export function cleanAnswer(
  text: string,
  source = '',
  isOffer: (before: string) => boolean = () => !OWN_OFFER.test(source),
): string {
  const whole = text.replaceAll('\r\n', '\n').trim();
  const bare = withoutPreamble(whole, source);
  const answer = unquoted(FENCE_OPENS.test(source.trimStart()) ? bare : unfenced(bare), source);
  const offer = OFFER.exec(answer)?.[0] ?? '';
  const before = answer.slice(0, answer.length - offer.length).trim();
  return (offer !== '' && isOffer(before) ? before : answer.trim()) || whole;
}

/** Removes a code fence around the whole answer. A truncated answer lacks the closing line. */
export function unfenced(text: string): string {
  const trimmed = text.trim();
  const [opening = '', mark = ''] = FENCE_OPENS.exec(trimmed) ?? [];
  if (opening === '') return text;
  const inside = trimmed.slice(opening.length);
  let depth = 1;
  for (const { 0: line, 1: marks = '', 2: info = '', index } of inside.matchAll(FENCE_LINE)) {
    if (!marks.startsWith(mark)) continue;
    // A fence line with an info string opens a nested block. A fence line without an info string closes a block.
    depth += info.trim() === '' ? -1 : 1;
    if (depth > 0) continue;
    const isEnd = index + line.length === inside.length;
    return isEnd ? inside.slice(0, index).trim() : text;
  }
  return inside.trim();
}

function withoutPreamble(text: string, source: string): string {
  const bare = withoutOpening(text, COURTESY, OWN_COURTESY, source);
  const answer = withoutOpening(bare, PREAMBLE, OWN_PREAMBLE, source);
  return OWN_SENTENCE.test(source.trim())
    ? answer
    : withoutOpening(answer, SENTENCE, OWN_PREAMBLE, source);
}

/** Removes the model's preamble, unless the first line of the source looks like a preamble too. */
function withoutOpening(text: string, added: RegExp, own: RegExp, source: string): string {
  const rest = text.replace(added, '').trim();
  const isOwn = own.test(source.trim()) && !own.test(rest);
  // A preamble without any text after it is the answer itself.
  return rest === '' || isOwn ? text : rest;
}

/** Removes the quotation marks around the whole answer, unless the source also begins with a quotation mark. */
function unquoted(text: string, source: string): string {
  const close = QUOTES[text[0] ?? ''];
  if (!close || text.length < 2 || !text.endsWith(close)) return text;
  const inside = text.slice(1, -1);
  const own = (source.trim()[0] ?? '') in QUOTES;
  // If there are quotation marks inside, the outer ones may belong to two separate quotations.
  return own || inside.includes(text[0] as string) || inside.includes(close) ? text : inside.trim();
}
