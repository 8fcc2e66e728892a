/** Implements content negotiation (RFC 9110, section 12.5.1) for resources with several representations. */

/** Whether Markdown is accepted with at least the weight of JSON. */
export function acceptsMarkdown(accept: string | undefined): boolean {
  const markdown = weightOf(accept, 'text/markdown');
  return markdown > 0 && markdown >= weightOf(accept, 'application/json');
}

/** Whether errors are accepted as problem details (RFC 9457) with at least the weight of JSON. */
export function acceptsProblem(accept: string | undefined): boolean {
  const problem = weightOf(accept, 'application/problem+json');
  return problem > 0 && problem >= weightOf(accept, 'application/json');
}

/** Whether JSON is accepted but files of this media type are not (decisions.md, Additions to the contract). */
export function acceptsOnlyJson(accept: string | undefined, fileType: string): boolean {
  const type = fileType.split(';', 1)[0]!;
  const ofFile = [type, type.replace(/\/.*/, '/*'), '*/*'];
  return (
    weightOf(accept, 'application/json') > 0 &&
    ofFile.every((range) => weightOf(accept, range) === 0)
  );
}

/**
 * Returns the weight of a media type. Only the exact name of the type counts, not a wildcard. If the header does not
 * contain the name, the weight is 0.
 */
function weightOf(accept: string | undefined, type: string): number {
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return weight === undefined ? 1 : Number(weight) || 0;
  }
  return 0;
}
