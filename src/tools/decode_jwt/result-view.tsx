/** Shows the header and the payload of a JWT, and whether it has expired. */
import type { ViewParts } from '../../core/result-view.ts';

interface Decoded {
  header: object;
  payload: object;
  note: string;
  expiresAt: string | null;
  isExpired: boolean | null;
}

export function resultView(
  { header, payload, note, expiresAt, isExpired }: Decoded,
  { CodeBlock }: ViewParts,
) {
  return (
    <>
      <div class="cluster">
        <span class="chip">Signature not verified</span>
        {expiresAt !== null && (
          <span class={isExpired ? 'chip bad' : 'chip good'}>
            {isExpired ? 'Expired' : 'Valid until'} {expiresAt}
          </span>
        )}
      </div>
      <h3>Header</h3>
      <CodeBlock code={JSON.stringify(header, null, 2)} what="the header" wrap />
      <h3>Payload</h3>
      <CodeBlock code={JSON.stringify(payload, null, 2)} what="the payload" wrap />
      <p class="small soft">{note}</p>
    </>
  );
}
