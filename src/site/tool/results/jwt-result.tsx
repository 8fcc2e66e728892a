/** The header and payload of decode_jwt, and whether the token has expired. */
import { CodeBlock } from '../../design/code-block.tsx';
import type { ResultProps } from './json-result.tsx';

export function JwtResult({ value }: ResultProps) {
  return (
    <>
      <div class="cluster">
        <span class="chip">Signature not verified</span>
        {value.expiresAt !== null && (
          <span class={value.isExpired ? 'chip bad' : 'chip good'}>
            {value.isExpired ? 'Expired' : 'Valid until'} {String(value.expiresAt)}
          </span>
        )}
      </div>
      <h3>Header</h3>
      <CodeBlock code={JSON.stringify(value.header, null, 2)} what="the header" wrap />
      <h3>Payload</h3>
      <CodeBlock code={JSON.stringify(value.payload, null, 2)} what="the payload" wrap />
      <p class="small soft">{value.note}</p>
    </>
  );
}
