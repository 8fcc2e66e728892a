/** Renders the account's keys, with their quotas and usage and with the forms that create, rotate and revoke them. */
import type { Overview } from '../../access/accounts/overview.ts';
import { latestKeyDay } from '../../access/key-expiry.ts';
import { DAY_MS, periodOf } from '../../core/calendar.ts';
import { MB } from '../../core/limits.ts';
import { type Fact, Facts } from '../design/facts.tsx';
import { Moment } from './moments.tsx';
import { OnceField } from './once-field.tsx';

/**
 * The maximum number of expired and revoked keys on the page. They are stored for 30 days, but only the latest are
 * shown.
 */
const ENDED_SHOWN = 10;

type Key = Overview['keys'][number];

interface KeysSectionProps {
  keys: readonly Key[];
  /** Whether calls are counted. If so, quotas are shown. */
  hasLimits: boolean;
  now: number;
}

export function KeysSection({ keys, hasLimits, now }: KeysSectionProps) {
  const isActive = (key: Key) => stateOf(key, now) === 'active';
  const working = keys.filter(isActive);
  const ended = keys.filter((key) => !isActive(key));
  const tomorrow = periodOf('day', now + DAY_MS).name;
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      {working.length === 0 && <p>You have no {ended.length > 0 && 'working '}keys.</p>}
      <Cards keys={working} hasLimits={hasLimits} now={now} />
      {ended.length > 0 && (
        <details>
          <summary>
            {ended.length === 1 ? 'One inactive key' : `${ended.length} inactive keys`}
            {ended.length > ENDED_SHOWN && `, the latest ${ENDED_SHOWN} of them`}
          </summary>
          <Cards keys={ended.slice(0, ENDED_SHOWN)} hasLimits={hasLimits} now={now} />
        </details>
      )}
      <form class="card" method="post" action="/developers/keys" aria-labelledby="new">
        <h3 id="new">A new key</h3>
        <OnceField />
        <label for="key-name">Name</label>
        <input id="key-name" name="name" required maxlength={60} autocomplete="off" />
        <label for="key-expires">
          Last day, in UTC <span class="hint">(optional: by default the key does not expire)</span>
        </label>
        <input id="key-expires" name="expires" type="date" min={tomorrow} max={latestKeyDay(now)} />
        <button type="submit" class="main">
          Create the key
        </button>
      </form>
    </section>
  );
}

function Cards({ keys, ...shown }: KeysSectionProps) {
  return (
    <ul class="cards stack">
      {keys.map((key) => (
        <KeyCard key={key.id} record={key} {...shown} />
      ))}
    </ul>
  );
}

type KeyCardProps = Omit<KeysSectionProps, 'keys'> & { record: Key };

function KeyCard({ record: key, hasLimits, now }: KeyCardProps) {
  const state = stateOf(key, now);
  const label = `key-${key.id}`;
  const overlaps = state === 'active' && (key.previous?.expiresAt ?? 0) > now;
  return (
    <li class="card stack" aria-labelledby={label}>
      <h3 id={label}>
        {key.name} <span class={state === 'active' ? 'chip good' : 'chip'}>{state}</span>
      </h3>
      <p>
        <code>{key.display}</code>
      </p>
      <Facts facts={factsOf(key, overlaps)} />
      {state === 'active' && (
        <>
          {hasLimits && <Quotas of={key} />}
          <KeyForms record={key} overlaps={overlaps} />
        </>
      )}
    </li>
  );
}

function Quotas({ of: key }: { of: Key }) {
  return (
    <div class="quotas">
      <Left name="Requests today" used={key.requestsToday} limit={key.requestsPerDay} />
      <Left name="Model tokens this month" used={key.tokensThisMonth} limit={key.tokensPerMonth} />
      <Left
        name="MB stored today"
        used={Math.ceil(key.bytesToday / MB)}
        limit={Math.floor(key.bytesPerDay / MB)}
      />
    </div>
  );
}

function factsOf(key: Key, overlaps: boolean): Fact[] {
  const facts: Fact[] = [
    ['Created', <Moment at={key.createdAt} />],
    ['Last used', key.lastUsedAt === null ? 'never' : <Moment at={key.lastUsedAt} />],
    ['Expires', key.expiresAt === null ? 'never' : <Moment at={key.expiresAt} />],
  ];
  if (key.previous && overlaps) {
    const { display, expiresAt } = key.previous;
    facts.push([
      'Previous secret',
      <>
        <code>{display}</code>, which works until <Moment at={expiresAt} />
      </>,
    ]);
  }
  return facts;
}

const stateOf = (key: Key, now: number) =>
  key.revokedAt !== null
    ? 'revoked'
    : key.expiresAt !== null && key.expiresAt <= now
      ? 'expired'
      : 'active';

/** Identifies the rotation to which a form belongs. A form that is sent twice therefore rotates the key only once. */
export const rotationOf = ({ rotatedAt }: Pick<Key, 'rotatedAt'>) => String(rotatedAt ?? '');

/** Renders how much of a quota is used and how much remains. */
function Left({ name, used, limit }: { name: string; used: number; limit: number }) {
  const left = Math.max(0, limit - used).toLocaleString('en');
  return (
    <p class="left small">
      <span class="soft">{name}: </span>
      <strong>
        {used.toLocaleString('en')} of {limit.toLocaleString('en')}
      </strong>
      , {left} left
      <progress value={Math.min(used, limit)} max={Math.max(1, limit)} aria-label={name} />
    </p>
  );
}

function KeyForms({ record: key, overlaps }: { record: Key; overlaps: boolean }) {
  const { id, name } = key;
  return (
    <details>
      <summary>
        Rotate or revoke <span class="hidden">{name}</span>
      </summary>
      {overlaps ? (
        <form method="post" action={`/developers/keys/${id}/end-overlap`}>
          <p>You can rotate it again when the previous secret has expired.</p>
          <button type="submit">Expire the previous secret now</button>
        </form>
      ) : (
        <form method="post" action={`/developers/keys/${id}/rotate`}>
          <input type="hidden" name="rotated" value={rotationOf(key)} />
          <label for={`overlap-${id}`}>The previous secret keeps working for</label>
          <select id={`overlap-${id}`} name="overlap">
            <option value="0">0 hours</option>
            <option value="1">1 hour</option>
            <option value="24" selected>
              24 hours
            </option>
            <option value="168">7 days</option>
          </select>
          <p class="small">The secret that signs webhooks changes too.</p>
          <button type="submit">Rotate</button>
        </form>
      )}
      <form method="post" action={`/developers/keys/${id}/revoke`}>
        <button type="submit" class="danger">
          Revoke now
        </button>
      </form>
    </details>
  );
}
