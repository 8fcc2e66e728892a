/** Shows the header and the payload of a JWT, and whether it has expired. */
import type { ViewParts } from '../../core/result-view.ts';
import { ColoredJson } from '../format_json/colored-json.tsx';

interface Decoded {
  header: object;
  payload: Record<string, unknown>;
  note: string;
  expiresAt: string | null;
  isExpired: boolean | null;
}

export function resultView(
  { header, payload, note, expiresAt, isExpired }: Decoded,
  { CodeBlock, FieldList }: ViewParts,
) {
  const dates = datesIn(payload);
  return (
    <>
      <div class="cluster">
        <span class="chip">Signature not verified</span>
        {expiresAt !== null && (
          <span class={isExpired ? 'chip bad' : 'chip good'}>
            {isExpired ? 'Expired' : 'Not expired'}
          </span>
        )}
        {typeof payload.nbf === 'number' && payload.nbf * 1000 > Date.now() && (
          <span class="chip bad">Not valid yet</span>
        )}
      </div>
      <h3>Header</h3>
      <CodeBlock
        code={<ColoredJson json={JSON.stringify(header, null, 2)} />}
        what="the header"
        wrap
      />
      <h3>Payload</h3>
      <CodeBlock
        code={<ColoredJson json={JSON.stringify(payload, null, 2)} />}
        what="the payload"
        wrap
      />
      {dates.length > 0 && <FieldList value={Object.fromEntries(dates)} />}
      <p class="small soft">{note}</p>
    </>
  );
}

/** The claims whose values are in seconds since 1970 (RFC 7519, section 4.1). */
const DATES = { iat: 'Issued', nbf: 'Valid from', exp: 'Expires' };

function datesIn(payload: Record<string, unknown>): [label: string, date: string][] {
  return Object.entries(DATES).flatMap(([claim, label]): [string, string][] => {
    const date = new Date(Number(payload[claim] ?? Number.NaN) * 1000);
    if (Number.isNaN(date.getTime())) return [];
    return [
      [
        label,
        date
          .toISOString()
          .replace('T', ' ')
          .replace(/(\.000)?Z$/, ' UTC'),
      ],
    ];
  });
}
