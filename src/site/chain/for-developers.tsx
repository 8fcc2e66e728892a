/**
 * Renders the chain as code, and the references to its results. Both are collapsed, because most visitors use only the
 * page.
 */
import type { Site } from '../site.ts';
import { CallList } from '../tool/call-list.tsx';
import { chainCalls, FILE_URL } from './chain-calls.ts';
import { givenBy } from './data-flow.ts';
import { isUpload, type Step, uploadedBy } from './steps.ts';

interface ForDevelopersProps {
  site: Site;
  steps: readonly Step[];
}

export const ForDevelopers = ({ site, steps }: ForDevelopersProps) => (
  <details class="card reference-fold" data-options="">
    <summary>
      For developers
      <span class="soft">API example, references to results</span>
    </summary>
    <div class="stack loose">
      <section class="stack" aria-labelledby="code" id="calls">
        <h2 id="code">Run this from code</h2>
        {isUpload(steps[0]) && uploadedBy(steps[0]!).length === 0 && (
          <p class="soft">
            Store the file with <code>POST /api/v1/inputs</code> first, and replace{' '}
            <code>{FILE_URL}</code> with its <code>url</code>.
          </p>
        )}
        <CallList calls={chainCalls(steps, site.baseUrl)} />
      </section>
      {steps.length > 1 && <References steps={steps} />}
    </div>
  </details>
);

/** Lists the references that the visitor can type into the fields of later steps. */
const References = ({ steps }: Pick<ForDevelopersProps, 'steps'>) => (
  <section class="stack tight" aria-labelledby="references">
    <h2 id="references">Use a result in any later step</h2>
    <p class="soft">Type a reference into a field. The last word can be any of the fields.</p>
    <dl class="small">
      {steps.slice(0, -1).map((step, index) => {
        const [first, ...others] = givenBy(step);
        return (
          <>
            <dt>
              Step {index + 1}: <code>{`{{steps.${step.id}.result.${first}}}`}</code>
            </dt>
            {!isUpload(step) && others.length > 0 && <dd class="soft">{others.join(', ')}</dd>}
          </>
        );
      })}
    </dl>
  </section>
);
