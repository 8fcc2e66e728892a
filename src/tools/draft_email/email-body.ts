/** The body of an e-mail in a model's answer. */
import { cleanAnswer } from '../../lib/model-answer.ts';

/** "Subject: …", "To: …", also in bold and in other languages, at the very beginning. */
const HEADER_LINE =
  /^\s*[*_]*(?:subject(?: line)?|re|to|from|cc|bcc|date|betreff|an|von|objet|asunto|oggetto)\s*:[*_]*[^\n]*(?:\n|$)/i;
const BODY_LABEL = /^\s*[*_]*(?:e-?mail )?body[*_]*\s*:[*_]*[ \t]*\n+/i;

export function emailBody(answer: string, prompt: string): string {
  let body = cleanAnswer(answer, prompt);
  while (HEADER_LINE.test(body)) body = body.replace(HEADER_LINE, '');
  return body
    .replace(/^\s*-{3,}\s*\n/, '')
    .replace(BODY_LABEL, '')
    .trim();
}
