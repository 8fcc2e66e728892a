/** Shows the formatted JSON, and the same JSON on one line. */
import type { ViewParts } from '../../core/result-view.ts';
import { ColoredJson } from './colored-json.tsx';

export function resultView(
  { formatted, minified }: { formatted: string; minified: string },
  { CodeBlock }: ViewParts,
) {
  return (
    <>
      <div class="actions">
        <button type="button" class="main" data-save="formatted.json" hidden>
          Save as formatted.json
        </button>
      </div>
      <CodeBlock code={<ColoredJson json={formatted} />} what="the formatted JSON" wrap />
      <details>
        <summary>In one line</summary>
        <div class="actions">
          <button type="button" data-save="minified.json" hidden>
            Save as minified.json
          </button>
        </div>
        <CodeBlock code={minified} what="the minified JSON" wrap />
      </details>
    </>
  );
}
