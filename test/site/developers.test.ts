import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { cookieOf, openPerson, press, signUp } from '../support/passkey-browser.ts';
import { baseUrl, body } from '../support/service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const usageWith = (key: string) =>
  fetch(`${baseUrl}/api/v1/usage`, { headers: { Authorization: `Bearer ${key}` } });

describe('a trial key', () => {
  it('is created with one click without signing in, works for 24 hours and belongs to no account', async () => {
    const person = await openPerson(browser);
    await person.page.goto(`${baseUrl}/developers`);
    await press(person, 'Create a trial key');
    const key = (await person.page.locator('#key').textContent()) ?? '';
    expect(key).toMatch(/^tsk_[0-9A-Za-z]{38}$/);
    const { keys } = await body(await usageWith(key));
    expect(keys).toMatchObject([
      { kind: 'trial', today: { limit: 1000 }, month: { limit: 20_000 } },
    ]);
    const hours = (Date.parse(keys[0].expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const calls = person.page.locator('pre', { hasText: `Bearer ${key}` });
    // The key appears in the call in the notice, and in the first call in curl, TypeScript and Python.
    expect(await calls.count()).toBe(4);
    expect(await person.page.getByText('YOUR_KEY').count()).toBe(0);
    expect(person.problems).toEqual([]);
    await person.context.close();
  });

  it('is created without scripts and while sign-in is off', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${baseUrl.replace('localhost', '127.0.0.1')}/developers`);
    await page.getByRole('button', { name: 'Create a trial key' }).click();
    await expect.poll(() => page.locator('#key').textContent()).toMatch(/^tsk_/);
    const shown = await page.locator('output', { hasText: 'whsec_' }).textContent();
    const shownKey = await page.locator('#key').textContent();
    const usage = await fetch(`${baseUrl}/api/v1/usage`, {
      headers: { Authorization: `Bearer ${shownKey}` },
    });
    expect(shown).toBe(((await usage.json()) as { webhookSecret: string }).webhookSecret);
    await context.close();
  });
});

describe('an account', () => {
  it('is created with a passkey, which signs in again', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Ann');
    await press(person, 'Sign out');
    expect(await person.page.getByText('You are signed out').count()).toBe(1);
    await press(person, 'Sign in with a passkey');
    expect(await person.page.getByText('Signed in as Ann').count()).toBe(1);
    expect(person.problems).toEqual([]);
    await person.context.close();
  });

  it('stores its session in an HttpOnly, Secure, SameSite=Lax cookie for 30 days', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Cookie');
    const [cookie] = await person.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(cookie!.expires * 1000 - Date.now()).toBeLessThanOrEqual(30 * 86_400_000);
    await person.context.close();
  });

  it('has keys with a name and an expiry date, each shown once', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Bob');
    await person.page.getByLabel('Name', { exact: true }).fill('for the <b>robot</b>');
    await person.page.getByLabel('Last day').fill('2031-05-06');
    await press(person, 'Create the key');
    const key = (await person.page.locator('#key').textContent()) ?? '';
    const { keys } = await body(await usageWith(key));
    expect(keys).toMatchObject([
      {
        name: 'for the <b>robot</b>',
        kind: 'persistent',
        expiresAt: '2031-05-07T00:00:00.000Z',
        today: { requests: 0, limit: 10_000, remaining: 10_000 },
        month: { tokens: 0, limit: 1_000_000, remaining: 1_000_000 },
      },
    ]);
    await person.page.goto(`${baseUrl}/developers`);
    const shown = await person.page.locator('main').textContent();
    expect(shown).not.toContain(key);
    expect(shown).toContain(`${key.slice(0, 8)}…${key.slice(-4)}`);
    expect(shown).toContain('for the <b>robot</b>');
    await person.context.close();
  });

  it('rotates a key, whose old secret works for the chosen overlap, and revokes it', async () => {
    const person = await openPerson(browser);
    const { page } = person;
    await signUp(person, 'Rotator');
    await page.getByLabel('Name', { exact: true }).fill('k');
    await press(person, 'Create the key');
    const first = (await page.locator('#key').textContent()) ?? '';
    await page.getByText('Rotate or revoke').click();
    await press(person, 'Rotate');
    const second = (await page.locator('#key').textContent()) ?? '';
    expect((await usageWith(first)).status).toBe(200);
    expect((await usageWith(second)).status).toBe(200);

    // The rotation is refused, because it would end the period in which both keys work.
    const action = await page.locator('form[action$="/end-overlap"]').getAttribute('action');
    const again = await fetch(baseUrl + action!.replace('end-overlap', 'rotate'), {
      method: 'POST',
      headers: { Origin: baseUrl, Cookie: await cookieOf(person) },
      body: new URLSearchParams({ overlap: '0' }),
    });
    expect(again.status).toBe(409);
    expect(await again.text()).toContain('Expire it first');
    expect((await usageWith(first)).status).toBe(200);
    await page.getByText('Rotate or revoke').click();
    await press(person, 'Expire the previous secret now');
    expect(await body(await usageWith(first))).toMatchObject({ code: 'key_expired' });

    await page.getByText('Rotate or revoke').click();
    await page.getByLabel('The previous secret keeps working for').selectOption('0');
    await press(person, 'Rotate');
    const third = (await page.locator('#key').textContent()) ?? '';
    expect(await body(await usageWith(second))).toMatchObject({ code: 'key_expired' });
    await page.reload();
    expect(await page.getByText('This key was already rotated').count()).toBe(1);
    expect((await usageWith(third)).status).toBe(200);

    await page.getByText('Rotate or revoke').click();
    await press(person, 'Revoke now');
    const refused = await usageWith(third);
    expect(refused.status).toBe(401);
    expect(await body(refused)).toMatchObject({ code: 'key_revoked' });
    await person.context.close();
  });

  it('has several passkeys and refuses to remove the last one', async () => {
    const person = await openPerson(browser);
    const { page } = person;
    await signUp(person, 'Carol');
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect
      .poll(() => page.locator('#problem').textContent())
      .toBe('This device already has a passkey for this account.');

    await person.newAuthenticator();
    await page.getByLabel('Name of another passkey').fill('the key on my ring');
    await press(person, 'Add a passkey');
    expect(await page.getByText('the key on my ring').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
    await expect.poll(() => page.getByText('The passkey was removed').count()).toBe(1);
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);

    await press(person, 'Sign out');
    await press(person, 'Sign in with a passkey');
    expect(await page.getByText('Signed in as Carol').count()).toBe(1);
    await person.context.close();
  });

  it('is recovered with a recovery code, which works once', async () => {
    const person = await openPerson(browser);
    const { page } = person;
    await signUp(person, 'Dave');
    expect(await page.getByText('You have no recovery codes').count()).toBe(1);
    await press(person, 'Create recovery codes');
    const codes = ((await page.locator('#codes').textContent()) ?? '').trim().split('\n');
    expect(codes).toHaveLength(10);
    await press(person, 'Sign out');
    for (const expected of ['Signed in as Dave', 'recovery code is not valid']) {
      await page.getByText('I lost my passkeys').click();
      await page.getByLabel('Recovery code').fill(` ${codes[3]!.toUpperCase()} `);
      await press(person, 'Sign in with the code');
      expect(await page.getByText(expected).count(), expected).toBe(1);
      if (expected.startsWith('Signed')) {
        expect(await page.getByText('Unused codes: 9').count()).toBe(1);
        await press(person, 'Sign out');
      }
    }
    await person.context.close();
  });

  it('ends the session of another browser', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Erin');
    const lost = await cookieOf(person);
    await press(person, 'Sign out');
    await press(person, 'Sign in with a passkey');
    const stolen = await cookieOf(person);
    expect(stolen).not.toBe(lost);
    // Signs in from a browser without cookies.
    await person.context.clearCookies();
    await person.page.goto(`${baseUrl}/developers`);
    await press(person, 'Sign in with a passkey');
    const usage = (cookie: string) =>
      fetch(`${baseUrl}/api/v1/usage`, { headers: { Cookie: cookie } });
    expect((await usage(lost)).status).toBe(401);
    expect((await usage(stolen)).status).toBe(200);
    await press(person, /^Sign out Chrome/);
    expect((await usage(stolen)).status).toBe(401);
    expect(await person.page.getByText('Signed in as Erin').count()).toBe(1);
    await person.context.close();
  });

  it('deletes its keys, passkeys and sessions with it after the user types its name', async () => {
    const person = await openPerson(browser);
    const { page } = person;
    await signUp(person, 'Frank');
    await page.getByLabel('Name', { exact: true }).fill('k');
    await press(person, 'Create the key');
    const key = (await page.locator('#key').textContent()) ?? '';
    const cookie = await cookieOf(person);
    await page.getByText('Delete this account').click();
    await page.getByLabel('Type the account’s name').fill('Fran');
    await press(person, 'Delete everything');
    expect(await page.getByText('Nothing was deleted').count()).toBe(1);
    await page.getByText('Delete this account').click();
    await page.getByLabel('Type the account’s name').fill('Frank');
    await press(person, 'Delete everything');
    expect(await page.getByText('Your account was deleted').count()).toBe(1);
    expect(await body(await usageWith(key))).toMatchObject({ code: 'invalid_key' });
    const usage = await fetch(`${baseUrl}/api/v1/usage`, { headers: { Cookie: cookie } });
    expect(usage.status).toBe(401);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect
      .poll(() => page.locator('#problem').textContent())
      .toContain('This passkey is not registered');
    await person.context.close();
  });
});

describe('/developers', () => {
  it.each(['127.0.0.1', '[::1]'])(
    'says at %s why sign-in is off and where it works',
    async (host) => {
      const page = await browser.newPage();
      await page.goto(`${baseUrl.replace('localhost', host)}/developers`);
      const text = await page.locator('main').textContent();
      expect(text).toContain('Sign-in is not available at this address');
      const link = page.getByRole('link', { name: `${baseUrl}/developers` });
      expect(await link.getAttribute('href')).toBe(`${baseUrl}/developers`);
      expect(await page.locator('.ways').getByRole('button').allInnerTexts()).toEqual([
        'Create a trial key',
      ]);
      await page.close();
    },
  );

  it('fits a phone, signed in or not', async () => {
    const person = await openPerson(browser, { viewport: { width: 360, height: 740 } });
    const width = () => person.page.evaluate(() => document.documentElement.scrollWidth);
    await person.page.goto(`${baseUrl}/developers`);
    expect(await width()).toBeLessThanOrEqual(360);
    await signUp(person, 'A name as long as one may have, with sixty characters in all');
    await person.page.getByLabel('Name', { exact: true }).fill('W'.repeat(60));
    await press(person, 'Create the key');
    expect(await width()).toBeLessThanOrEqual(360);
    await person.context.close();
  });

  it('shows its table and its code on a phone without scrolling sideways', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${baseUrl}/developers`);
    const cut = await page
      .locator('.scroll:visible')
      .evaluateAll((boxes) =>
        boxes
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((box) => box.getAttribute('aria-label')),
      );
    expect(cut).toEqual([]);
    expect(await page.getByRole('columnheader', { name: 'Account key' }).isVisible()).toBe(true);
    await page.close();
  });

  it('is usable by keyboard alone, from signing up to a key', async () => {
    const person = await openPerson(browser);
    const { page } = person;
    await page.goto(`${baseUrl}/developers`);
    await page.getByLabel('Account name').focus();
    await page.keyboard.type('Keys only');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByText('Signed in as Keys only').count()).toBe(1);
    for (let tabs = 0; tabs < 40; tabs++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.id === 'key-name')) break;
    }
    await page.keyboard.type('by hand');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(await page.locator('#key').textContent()).toMatch(/^tsk_/);
    await person.context.close();
  });

  it('names every control and region for screen readers, and keeps its headings in order', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Grace');
    await person.page.getByLabel('Name', { exact: true }).fill('k');
    await press(person, 'Create the key');
    const findings = await person.page.evaluate(() => {
      const unnamed = [
        ...document.querySelectorAll('input:not([type=hidden]), select, button, progress'),
      ].filter(
        (control) =>
          !(control as HTMLInputElement).labels?.length &&
          !control.textContent?.trim() &&
          !control.getAttribute('aria-label'),
      );
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
      const dangling = [...document.querySelectorAll('[aria-labelledby]')].filter(
        (element) => !document.getElementById(element.getAttribute('aria-labelledby')!),
      );
      const levels = [...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) =>
        Number(tagName[1]),
      );
      return {
        unnamed: unnamed.map(({ outerHTML }) => outerHTML),
        doubled: ids.filter((id, index) => ids.indexOf(id) !== index),
        dangling: dangling.length,
        jumps: levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1),
        language: document.documentElement.lang,
      };
    });
    expect(findings).toEqual({ unnamed: [], doubled: [], dangling: 0, jumps: [], language: 'en' });
    await person.context.close();
  });
});
