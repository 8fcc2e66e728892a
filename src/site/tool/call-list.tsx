/** The same call in several languages, one shown at a time. */
import { CodeBlock } from '../design/code-block.tsx';
import type { Call } from './call-code.ts';

export function CallList({ calls }: { calls: readonly Call[] }) {
  return (
    <div class="accordion">
      {calls.map(({ language, code, note }, index) => (
        <details name="call" open={index === 0}>
          <summary>{language}</summary>
          <div class="stack tight">
            <CodeBlock code={code} what={`the call in ${language}`} />
            {note && <p class="small soft">{note}</p>}
          </div>
        </details>
      ))}
    </div>
  );
}
