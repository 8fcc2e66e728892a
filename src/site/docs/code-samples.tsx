/** Code with colours: a call in several languages, one shown at a time, or its result. */
import { raw } from 'hono/html';
import type { CodeSample } from '../../core/reference.ts';
import { CodeBlock } from '../design/code-block.tsx';

/** Works without scripts: CSS shows the sample of the chosen language. */
export function CodeSamples({ samples }: { samples: readonly CodeSample[] }) {
  return (
    <fieldset class="samples cluster">
      <legend class="hidden">Language of the example</legend>
      {samples.map(({ name }, index) => (
        <>
          <input type="radio" name="language" id={`in-${name}`} checked={index === 0} />
          <label for={`in-${name}`}>{name}</label>
        </>
      ))}
      {samples.map((sample) => (
        <CodeBlock code={raw(sample.html)} what={`the call in ${sample.name}`} />
      ))}
    </fieldset>
  );
}

export function Sample({ sample }: { sample: CodeSample }) {
  return (
    <div class="stack tight">
      <h2 class="group">{sample.name}</h2>
      <CodeBlock code={raw(sample.html)} what={`the ${sample.name.toLowerCase()}`} />
    </div>
  );
}
