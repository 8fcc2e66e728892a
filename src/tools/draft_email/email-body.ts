/** The body of an e-mail in a model's answer. */
import { cleanAnswer } from '../../lib/model-answer.ts';

/** "Subject: …", "To: …", also in bold and in other languages, at the very beginning. */
const HEADER_LINE =
  /^\s*[*_]*(?:subject(?: line)?|re|to|from|cc|bcc|date|betreff|an|von|objet|asunto|oggetto)\s*:[*_]*[^\n]*(?:\n|$)/i;
const BODY_LABEL = /^\s*[*_]*(?:(?:e-?mail )?body|(?:draft )?e-?mail)[*_]*\s*:[*_]*[ \t]*\n+/i;
/** A letter whose signature, or a rule, stands last is over: an offer behind it is the model's, any other the writer's. */
const OVER =
  /(?:^|\n)[ \t]*(?:-{3,}|\*{3,}|_{3,}|(?![ \t]*(?:[-*•]|\d+[.)])[ \t])[^\n]*[^\s.!?…:;)"'”’])[ \t]*$/;
const RULE_AT_END = /\n\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;

export function emailBody(answer: string): string {
  let body = cleanAnswer(answer, '', (before) => OVER.test(before));
  while (HEADER_LINE.test(body)) body = body.replace(HEADER_LINE, '');
  return body
    .replace(/^\s*-{3,}\s*\n/, '')
    .replace(BODY_LABEL, '')
    .replace(RULE_AT_END, '')
    .trim();
}
