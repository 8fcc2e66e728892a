/** What a caller wants to be answered with (RFC 9110 §12.5.1), as far as this service has more than one answer. */

/** Whether Markdown is asked for, and not liked less than JSON. */
export function acceptsMarkdown(accept: string | undefined): boolean {
  const markdown = weightOf(accept, 'text/markdown');
  return markdown > 0 && markdown >= weightOf(accept, 'application/json');
}

/** Whether errors are asked for as problem details (RFC 9457), and not liked less than as JSON. */
export function acceptsProblem(accept: string | undefined): boolean {
  const problem = weightOf(accept, 'application/problem+json');
  return problem > 0 && problem >= weightOf(accept, 'application/json');
}

/** The weight of a media type that is named as it is; 0 where it is not. */
function weightOf(accept: string | undefined, type: string): number {
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return weight === undefined ? 1 : Number(weight) || 0;
  }
  return 0;
}
