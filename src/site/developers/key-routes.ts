/** The forms that make, rotate and revoke keys. A new key is shown in the answer, once. */
import { keptOf, makeKey, QUOTAS } from '../../access/api-keys.ts';
import { keyEnd } from '../../access/key-end.ts';
import { badRequest, conflict, notFound } from '../../core/errors.ts';
import type { KeyKind, KeyRecord } from '../../core/key-store.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { answerForm, backToPage, developersPage } from './answers.ts';
import { rotationOf } from './keys-section.tsx';
import { momentText } from './moments.tsx';
import { limitVisitor, nameIn, signedIn, type Visit } from './visit.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Working keys of one account. */
const MAX_KEYS = 20;
const MAX_OVERLAP_HOURS = 30 * 24;

export function keyRoutes(app: App): void {
  endpoint(app, '/developers/trial-key', {
    POST: answerForm(async (c, visit) => {
      await limitVisitor(c, 'trial-key');
      const ends = visit.now + DAY;
      return showNewKey(c, visit, { kind: 'trial', name: 'trial key', expiresAt: ends });
    }),
  });
  endpoint(app, '/developers/keys', {
    POST: answerForm(async (c, visit, form) => {
      signedIn(visit);
      const name = nameIn(form.get('name'), 'name');
      const expiresAt = lastDayIn(form.get('expires') ?? '', visit.now);
      return showNewKey(c, visit, { kind: 'persistent', name, expiresAt });
    }),
  });
  endpoint(app, '/developers/keys/:id/rotate', { POST: answerForm(rotate) });
  endpoint(app, '/developers/keys/:id/end-overlap', {
    POST: answerForm(async (c, visit) => {
      const { id } = signedIn(visit);
      const { keys, access } = c.env.services;
      if (!(await keys.endOverlap(c.req.param('id') ?? '', id, visit.now))) {
        throw notFound('No earlier text of this key works any more.');
      }
      access.forgetKeys();
      return backToPage('overlap-ended');
    }),
  });
  endpoint(app, '/developers/keys/:id/revoke', {
    POST: answerForm(async (c, visit) => {
      const { id } = signedIn(visit);
      const { keys } = c.env.services;
      if (!(await keys.revoke(c.req.param('id') ?? '', id, visit.now))) throw noSuchKey();
      c.env.services.access.forgetKeys();
      return backToPage('key-revoked');
    }),
  });
}

async function showNewKey(
  c: AppContext,
  visit: Visit,
  wanted: { kind: KeyKind; name: string; expiresAt: number | null },
): Promise<Response> {
  const key = makeKey();
  const accountId = wanted.kind === 'trial' ? null : signedIn(visit).id;
  const row = { ...wanted, ...QUOTAS[wanted.kind], ...(await keptOf(key)), accountId };
  const id = crypto.randomUUID();
  if (!(await c.env.services.keys.create({ id, ...row }, visit.now, MAX_KEYS))) {
    throw conflict(`An account has at most ${MAX_KEYS} working keys. Revoke one first.`);
  }
  const text =
    wanted.kind === 'trial' ? 'Your trial key, good for 24 hours' : `Your new key, ${wanted.name}`;
  return developersPage(c, visit, { kind: 'key', key, text });
}

async function rotate(c: AppContext, visit: Visit, form: URLSearchParams): Promise<Response> {
  const { id: accountId } = signedIn(visit);
  const overlap = form.get('overlap') ?? '24';
  if (!/^\d{1,3}$/.test(overlap) || Number(overlap) > MAX_OVERLAP_HOURS) {
    throw badRequest(`The overlap is 0 to ${MAX_OVERLAP_HOURS} hours.`, 'overlap');
  }
  const { keys, access } = c.env.services;
  const record = await ownKey(c, visit);
  const { display, previous } = record;
  if (previous && previous.expiresAt > visit.now) {
    throw conflict(
      `The text before, ${previous.display}, works until ${momentText(previous.expiresAt)} UTC, and would end with another rotation. End its overlap first, or wait.`,
    );
  }
  const rotated = conflict(
    `This was rotated already: the key is ${display} now. Its text was shown once, in the answer to that.`,
  );
  if ((form.get('rotated') ?? '') !== rotationOf(record)) throw rotated;
  const key = makeKey();
  const ends = visit.now + Number(overlap) * HOUR;
  if (!(await keys.rotate({ ...record, accountId }, await keptOf(key), visit.now, ends))) {
    throw rotated;
  }
  access.forgetKeys();
  return developersPage(c, visit, { kind: 'key', key, text: 'The key’s new text' });
}

/** The key that the path names, where it is the visitor's and works. Throws 404. */
async function ownKey(c: AppContext, visit: Visit): Promise<KeyRecord> {
  const { id } = signedIn(visit);
  const key = await c.env.services.keys.get(c.req.param('id') ?? '');
  if (key?.accountId === id && key.revokedAt === null && (key.expiresAt ?? Infinity) > visit.now)
    return key;
  throw noSuchKey();
}

/** The end of the last day that was chosen; null where none is given. */
function lastDayIn(text: string, now: number): number | null {
  if (text === '') return null;
  const given = keyEnd(text, now);
  if ('wrong' in given) throw badRequest(`The last day ${given.wrong}.`, 'expires');
  return given.end;
}

const noSuchKey = () => notFound('You have no such key, or it has ended already.');
