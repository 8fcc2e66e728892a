/** Replaces the code of a call in each language. */
export function showCode(
  samples: HTMLElement,
  codes: readonly (readonly (Node | string)[])[],
): void {
  const positions = samples.querySelectorAll('code');
  for (const [index, code] of codes.entries()) positions[index]!.replaceChildren(...code);
}
