/** Shows the formatted JSON, and the same JSON on one line. */
import type { ViewParts } from '../../core/result-view.ts';

export function resultView(
  { formatted, minified }: { formatted: string; minified: string },
  { CodeBlock }: ViewParts,
) {
  return (
    <>
      <CodeBlock code={formatted} what="the formatted JSON" wrap />
      <details>
        <summary>In one line</summary>
        <CodeBlock code={minified} what="the minified JSON" wrap />
      </details>
    </>
  );
}
