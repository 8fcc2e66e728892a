/** Shows the header and the payload of a JWT, and whether it has expired. */
import type { ViewParts } from '../../core/result-view.ts';
import { ColoredJson } from '../format_json/colored-json.tsx';
import { exactJson } from '../format_json/exact-json.ts';
import { bareToken } from './bare-token.ts';
import type { SignatureCheck } from './verify-signature.ts';

interface Decoded {
  header: object;
  payload: Record<string, unknown>;
  note: string;
  expiresAt: string | null;
  isExpired: boolean | null;
  /** Set only if the visitor has entered a key. */
  signature?: SignatureCheck;
}

const OUTCOMES = {
  valid: { look: 'chip good', text: 'Signature valid', note: 'small' },
  invalid: { look: 'chip bad', text: 'Signature invalid', note: 'notice bad small' },
  unknown: { look: 'chip', text: 'Signature not verified', note: 'notice warn small' },
};

export function resultView(
  { header, payload, note, expiresAt, isExpired, signature }: Decoded,
  { CodeBlock, FieldList }: ViewParts,
  { token }: { token?: string } = {},
) {
  const dates = datesIn(payload);
  const [headerText, payloadText] = textsOf(token, header, payload);
  const { look, text, note: noteLook } = OUTCOMES[signature?.outcome ?? 'unknown'];
  return (
    <>
      <div class="cluster">
        <span class={look}>{text}</span>
        {expiresAt !== null && (
          <span class={isExpired ? 'chip bad' : 'chip good'}>
            {isExpired ? 'Expired' : 'Not expired'}
          </span>
        )}
        {typeof payload.nbf === 'number' && payload.nbf * 1000 > Date.now() && (
          <span class="chip bad">Not valid yet</span>
        )}
      </div>
      {signature && <p class={noteLook}>{signature.message}</p>}
      <h3>Header</h3>
      <CodeBlock code={<ColoredJson json={headerText} />} what="the header" wrap />
      <h3>Payload</h3>
      <CodeBlock code={<ColoredJson json={payloadText} />} what="the payload" wrap />
      {dates.length > 0 && <FieldList value={Object.fromEntries(dates)} />}
      <p class="small soft">{note}</p>
    </>
  );
}

/**
 * Returns the header and the payload as indented JSON. If the token is known, numbers and repeated keys are written as
 * in the token.
 */
function textsOf(token: string | undefined, ...parts: [object, object]): [string, string] {
  if (token === undefined)
    return parts.map((part) => JSON.stringify(part, null, 2)) as [string, string];
  const segments = bareToken(token).split('.').slice(0, 2);
  return segments.map((segment) => {
    const bytes = Uint8Array.fromBase64(segment, { alphabet: 'base64url' });
    return exactJson(new TextDecoder().decode(bytes), 2);
  }) as [string, string];
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
