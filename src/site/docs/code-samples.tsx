/** Renders code with syntax colors: a call in several languages, one of them visible at a time, or a call's result. */
import { raw } from 'hono/html';
import type { CodeSample } from '../../core/reference.ts';
import { CodeBlock } from '../design/code-block.tsx';
import { CodeTabs } from '../design/code-tabs.tsx';

export const CodeSamples = ({ samples }: { samples: readonly CodeSample[] }) => (
  <CodeTabs tabs={samples.map(({ name, html }) => ({ name, code: raw(html) }))} />
);

export function Sample({ sample }: { sample: CodeSample }) {
  return (
    <figure class="sample">
      <figcaption>{sample.name}</figcaption>
      <CodeBlock code={raw(sample.html)} what={`the ${sample.name.toLowerCase()}`} />
    </figure>
  );
}
