/** Extracts the body of an email from a model's response. */
import { cleanAnswer } from '../clean-answer.ts';

/**
 * Matches a header line such as "Subject: …" or "To: …" at the beginning of the text. It may be bold or in another
 * language.
 */
const HEADER_LINE =
  /^\s*[*_]*(?:subject(?: line)?|re|to|from|cc|bcc|date|betreff|an|von|objet|asunto|oggetto)\s*:[^\n]*(?:\n|$)/i;
const BODY_LABEL = /^\s*[*_]*(?:(?:e-?mail )?body|(?:draft )?e-?mail)[*_]*\s*:[*_]*[ \t]*\n+/i;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/;
const POINT = /^(?:[-*•]|\d+[.)])[ \t]/;
const SENTENCE_ENDS = /[.!?…:;)"'”’]$/;

export function emailBody(answer: string): string {
  let body = cleanAnswer(answer, '', isOver);
  while (HEADER_LINE.test(body)) body = body.replace(HEADER_LINE, '');
  body = body
    .replace(/^\s*-{3,}\s*\n/, '')
    .replace(BODY_LABEL, '')
    .trim();
  const last = lastLine(body);
  return RULE.test(last.trim()) ? body.slice(0, -last.length).trim() : body;
}

/**
 * Whether the text before a closing offer, such as "Would you like me to …", ends with a signature or a horizontal
 * rule. If so, the email is complete and the offer comes from the model. Otherwise, the offer is part of the email.
 */
function isOver(before: string): boolean {
  const line = lastLine(before).trim();
  if (line === '') return false;
  return RULE.test(line) || (!POINT.test(line) && !SENTENCE_ENDS.test(line));
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);
