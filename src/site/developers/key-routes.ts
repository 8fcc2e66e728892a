/** Handles the forms that create, rotate and revoke keys. A new key is shown only once, in the response to the form. */
import { keyIdOf, makeKey, QUOTAS, storedFormOf } from '../../access/api-keys.ts';
import { parseKeyExpiry } from '../../access/key-expiry.ts';
import { webhookSecret } from '../../access/webhook-secret.ts';
import { DAY_MS, HOUR_MS } from '../../core/calendar.ts';
import { badRequest, conflict, notFound, ToolError } from '../../core/errors.ts';
import type { Creation, KeyBounds, KeyKind, KeyRecord } from '../../core/key-store.ts';
import type { App, AppContext } from '../../http.ts';
import { answerForm, backToPage, developersPage, formEndpoint } from './answers.ts';
import { rotationOf } from './keys-section.tsx';
import { momentText } from './moments.tsx';
import { limitVisitor, nameIn, requireOpenSignUp, signedIn, type Visit } from './visit.ts';

/**
 * The maximum numbers of keys per account. Each key has its own quota, so without a limit, an account could multiply
 * its quota by creating and revoking keys.
 */
const BOUNDS: KeyBounds = { working: 20, inADay: 20 };
const MAX_OVERLAP_HOURS = 30 * 24;

export function keyRoutes(app: App): void {
  formEndpoint(
    app,
    '/developers/trial-key',
    answerForm(async (c, visit, form) => {
      requireOpenSignUp(c);
      const ends = visit.now + DAY_MS;
      return showNewKey(c, visit, form, { kind: 'trial', name: 'trial key', expiresAt: ends });
    }),
  );
  formEndpoint(
    app,
    '/developers/keys',
    answerForm(async (c, visit, form) => {
      signedIn(visit);
      const name = nameIn(form.get('name'), 'name');
      const expiresAt = lastDayIn(form.get('expires') ?? '', visit.now);
      return showNewKey(c, visit, form, { kind: 'persistent', name, expiresAt });
    }),
  );
  formEndpoint(app, '/developers/keys/:id/rotate', answerForm(rotate));
  formEndpoint(
    app,
    '/developers/keys/:id/end-overlap',
    answerForm(async (c, visit) => {
      const { id } = signedIn(visit);
      const { keys, access } = c.env.services;
      const keyId = c.req.param('id') ?? '';
      const isEnded = await keys.endOverlap(keyId, id, visit.now);
      await access.keysChanged([keyId]);
      if (!isEnded) throw notFound('This key has no previous secret that still works.');
      return backToPage('overlap-ended');
    }),
  );
  formEndpoint(
    app,
    '/developers/keys/:id/revoke',
    answerForm(async (c, visit) => {
      const { id } = signedIn(visit);
      const { keys, access } = c.env.services;
      const keyId = c.req.param('id') ?? '';
      const isRevoked = await keys.revoke(keyId, id, visit.now);
      // The change is announced even if the key was already revoked, because its earlier announcement may have failed.
      await access.keysChanged([keyId]);
      if (!isRevoked) throw noSuchKey();
      return backToPage('key-revoked');
    }),
  );
}

const showSecrets = async (
  c: AppContext,
  visit: Visit,
  key: string,
  text: string,
  isTrial = false,
) =>
  developersPage(c, visit, {
    kind: 'key',
    key,
    text,
    isTrial,
    webhookSecret: await webhookSecret(key),
  });

async function showNewKey(
  c: AppContext,
  visit: Visit,
  form: URLSearchParams,
  wanted: { kind: KeyKind; name: string; expiresAt: number | null },
): Promise<Response> {
  const { keys } = c.env.services;
  const accountId = wanted.kind === 'trial' ? null : signedIn(visit).id;
  // The key's ID is derived from the form's ID, so resubmitting the form by reloading the page does not create a second
  // key.
  const id = await keyIdOf(accountId, form.get('once') ?? crypto.randomUUID());
  if (accountId === null) {
    if (await keys.get(id)) throw madeBefore();
    await limitVisitor(c, 'trial-key');
  }
  const key = makeKey();
  const row = { ...wanted, ...QUOTAS[wanted.kind], ...(await storedFormOf(key)), accountId };
  refuseUnmade(await keys.create({ id, ...row }, visit.now, BOUNDS), visit.now);
  return wanted.kind === 'trial'
    ? showSecrets(c, visit, key, 'Your trial key, valid for 24 hours', true)
    : showSecrets(c, visit, key, `Your new key, ${wanted.name}`);
}

function refuseUnmade(creation: Creation, now: number): void {
  switch (creation) {
    case 'made':
      return;
    case 'made-before':
      throw madeBefore();
    case 'too-many-working':
      throw conflict(`An account is limited to ${BOUNDS.working} active keys. Revoke one first.`);
    case 'account-gone':
      throw new ToolError('invalid_key', 'This account no longer exists. Sign in again.');
  }
  throw new ToolError(
    'rate_limited',
    `An account is limited to ${BOUNDS.inADay} new keys in 24 hours, including revoked ones. You can create the next one on ${momentText(creation.againAt)} UTC, or rotate a key at any time.`,
    { retryAfter: Math.ceil((creation.againAt - now) / 1000) },
  );
}

const madeBefore = () =>
  conflict('This form was already submitted. The key was shown once and cannot be shown again.');

async function rotate(c: AppContext, visit: Visit, form: URLSearchParams): Promise<Response> {
  const { id: accountId } = signedIn(visit);
  const overlap = form.get('overlap') ?? '24';
  if (!/^\d{1,3}$/.test(overlap) || Number(overlap) > MAX_OVERLAP_HOURS) {
    throw badRequest(`The overlap must be 0 to ${MAX_OVERLAP_HOURS} hours.`, 'overlap');
  }
  const { keys, access } = c.env.services;
  const record = await ownKey(c, visit);
  const { previous } = record;
  if (previous && previous.expiresAt > visit.now) {
    throw conflict(
      `The previous secret, ${previous.display}, works until ${momentText(previous.expiresAt)} UTC. Expire it first, or wait.`,
    );
  }
  if ((form.get('rotated') ?? '') !== rotationOf(record)) throw rotatedBefore(record);
  const key = makeKey();
  const ends = visit.now + Number(overlap) * HOUR_MS;
  if (!(await keys.rotate({ ...record, accountId }, await storedFormOf(key), visit.now, ends))) {
    // Another request has changed the key in the meantime.
    throw rotatedBefore(await ownKey(c, visit));
  }
  // Unlike `keysChanged`, this function does not throw, so the new secret is always shown.
  await access.announceKeyChanges([record.id]);
  return showSecrets(c, visit, key, 'The key’s new secret');
}

const rotatedBefore = ({ display }: KeyRecord) =>
  conflict(
    `This key was already rotated: it is now ${display}. The new secret was shown once and cannot be shown again.`,
  );

/** Returns the visitor's active key whose ID is in the path. Throws 404 if the visitor has no such key. */
async function ownKey(c: AppContext, visit: Visit): Promise<KeyRecord> {
  const { id } = signedIn(visit);
  const key = await c.env.services.keys.get(c.req.param('id') ?? '');
  if (key?.accountId === id && key.revokedAt === null && (key.expiresAt ?? Infinity) > visit.now)
    return key;
  throw noSuchKey();
}

/** Returns the end of the chosen day, or null if no day is chosen. */
function lastDayIn(text: string, now: number): number | null {
  if (text === '') return null;
  const given = parseKeyExpiry(text, now);
  if ('wrong' in given) throw badRequest(`The last day ${given.wrong}.`, 'expires');
  return given.end;
}

const noSuchKey = () => notFound('This key does not exist or has expired.');
