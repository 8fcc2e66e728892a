/** What limits a tool has, in words, derived from its definition, and what is left of them. */
import { SURFACES } from '../../access/surfaces.ts';
import type { Tool } from '../../core/define-tool.ts';
import { MB } from '../../core/limits.ts';

const WHOSE = { ip: 'per address', account: 'per account', caller: 'per caller' };

export function Limits({ tool, left }: { tool: Tool; left: string | undefined }) {
  const { files } = tool;
  const { anonymous, known } = SURFACES.execution;
  return (
    <section class="stack tight" aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <dl class="facts">
        <dt>Calls</dt>
        <dd>
          {tool.limits
            .map((limit) => `${limit.calls} per ${limit.per} ${WHOSE[limit.by]}`)
            .join(', ')}
          {tool.limits.length > 0 ? ', within ' : ''}
          {anonymous.calls} per {anonymous.per} anonymously, {known.calls} per {known.per} with a{' '}
          <a href="/developers">key</a>
        </dd>
        <dt>Left</dt>
        <dd id="left" aria-live="polite">
          {left || 'Told here after each run.'}
        </dd>
        <dt>Access</dt>
        <dd>{accessOf(tool)}</dd>
        {files && (
          <>
            <dt>Files</dt>
            <dd>
              {files.max > 1 ? `${files.min} to ${files.max}, ` : 'One, '}
              {files.maxBytes / MB} MB{files.max > 1 ? ' each' : ' at most'}
              {files.maxTotalBytes ? `, ${files.maxTotalBytes / MB} MB together` : ''}
            </dd>
          </>
        )}
        <dt>Doors</dt>
        <dd>{tool.doors.map((door) => DOORS[door]).join(', ')}</dd>
      </dl>
    </section>
  );
}

const DOORS = { rest: 'REST', mcp: 'MCP', chain: 'chains' };

function accessOf({ access }: Tool) {
  if (access === 'anyone') return 'Anyone, without a key';
  if (access !== 'account') {
    return `${access.anonymousPerHour} calls an hour without an account, more when signed in`;
  }
  return (
    <>
      An account: <a href="/developers">sign in</a>, or call with its key
    </>
  );
}
