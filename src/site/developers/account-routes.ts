/** Handles the account's forms: recovery codes, sessions and deletion. */
import { newRecoveryCodes, useRecoveryCode } from '../../access/accounts/recovery-codes.ts';
import { endSession } from '../../access/accounts/sessions.ts';
import { badRequest } from '../../core/errors.ts';
import type { App } from '../../http.ts';
import { answerForm, backToPage, developersPage, formEndpoint, startSession } from './answers.ts';
import { limitVisitor, requireSignInSite, signedIn, visitOf } from './visit.ts';

export function accountRoutes(app: App): void {
  formEndpoint(
    app,
    '/developers/recover',
    answerForm(async (c, visit, form) => {
      requireSignInSite(visit);
      await limitVisitor(c, 'recovery-code');
      const id = await useRecoveryCode(form.get('code') ?? '', c.env.services.accounts);
      return startSession(c, visit, 'recovered', id);
    }),
  );
  formEndpoint(
    app,
    '/developers/recovery-codes',
    answerForm(async (c, visit, form) => {
      const { id } = signedIn(visit);
      // A form that is resubmitted by a reload must have no effect.
      const replaced = Number(form.get('replaced')) || null;
      const codes = await newRecoveryCodes(id, c.env.services.accounts, visit.now, replaced);
      return developersPage(c, await visitOf(c), { kind: 'codes', codes });
    }),
  );
  formEndpoint(
    app,
    '/developers/sign-out',
    answerForm(async (c) =>
      backToPage('signed-out', [await endSession(c.req.raw, c.env.services.sessions)]),
    ),
  );
  formEndpoint(
    app,
    '/developers/sessions/:id/end',
    answerForm(async (c, visit) => {
      const { id } = signedIn(visit);
      await c.env.services.sessions.revoke(c.req.param('id') ?? '', id);
      return backToPage('session-ended');
    }),
  );
  formEndpoint(
    app,
    '/developers/delete',
    answerForm(async (c, visit, form) => {
      const { id, name } = signedIn(visit);
      if ((form.get('confirm') ?? '').trim() !== name) {
        throw badRequest(`Nothing was deleted. Type the account’s name, ${name}, to confirm.`);
      }
      const { access, accounts, keys, sessions } = c.env.services;
      const forget = await endSession(c.req.raw, sessions);
      const owned = await keys.list(id);
      await accounts.delete(id);
      await access.keysChanged(owned.map((key) => key.id));
      return backToPage('deleted', [forget]);
    }),
  );
}
