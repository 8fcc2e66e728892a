/** Renders the notice at the top of the page: an error, a confirmation, a new key or new recovery codes. */
import { CodeBlock } from '../design/code-block.tsx';
import type { Notice } from './notices.ts';

export function NoticeBox({ notice, baseUrl }: { notice: Notice | undefined; baseUrl: string }) {
  switch (notice?.kind) {
    case undefined:
      return null;
    case 'problem':
      return (
        <p class="notice bad" role="alert">
          {notice.text}
        </p>
      );
    case 'done':
      return (
        <p class="notice" role="status">
          {notice.text}
        </p>
      );
    case 'key':
      return (
        <section class="notice" role="status" aria-labelledby="new-key">
          <h2 id="new-key">{notice.text}</h2>
          <p>
            Copy it now: it is not stored and cannot be shown again.
            {notice.isTrial && ' If you lose it, create another.'}
          </p>
          <div class="secret">
            <output id="key">{notice.key}</output>
            <button type="button" class="main" data-copy="key">
              Copy
            </button>
          </div>
          <p>Send it in the header of each call, for example:</p>
          <CodeBlock
            code={`curl -s ${baseUrl}/api/v1/usage \\\n  -H 'Authorization: Bearer ${notice.key}'`}
            what="a call with the key"
            wrap
          />
          <p>
            Webhooks for this key's jobs are signed with this secret. Unlike the key, it can be
            shown again: the call above returns it.
          </p>
          <div class="secret">
            <output id="webhook-secret">{notice.webhookSecret}</output>
            <button type="button" data-copy="webhook-secret">
              Copy
            </button>
          </div>
        </section>
      );
    case 'codes':
      return (
        <section class="notice" role="status" aria-labelledby="new-codes">
          <h2 id="new-codes">Your recovery codes</h2>
          <p>
            Store these codes in a safe place: they cannot be shown again. Each code works once, and
            earlier codes no longer work.
          </p>
          <output id="codes" class="codes">
            {notice.codes.join('\n')}
          </output>
          <button type="button" data-copy="codes">
            Copy
          </button>
        </section>
      );
  }
}
