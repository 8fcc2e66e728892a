import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/chromium.ts';
import { cookieOf, openPerson, type Person, press, signUp } from '../support/passkey-browser.ts';
import { baseUrl, body } from '../support/service.ts';

let browser: Browser;
let ann: Person;
let cookie: string;
beforeAll(async () => {
  browser = await openBrowser();
  ann = await openPerson(browser);
  await signUp(ann, 'Ann');
  cookie = await cookieOf(ann);
});
afterAll(() => browser.close());

const FORM = 'application/x-www-form-urlencoded';

function post(
  path: string,
  headers: Record<string, string>,
  content: string | Record<string, unknown> = '',
): Promise<Response> {
  return fetch(baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'Content-Type': typeof content === 'string' ? FORM : 'application/json',
      ...headers,
    },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  });
}

/** Waits for the page's next request to this path. Returns its JSON body. */
async function captured(page: Page, path: string): Promise<Record<string, unknown>> {
  const request = await page.waitForRequest(
    (requested) => new URL(requested.url()).pathname === path,
  );
  return request.postDataJSON();
}

const CHANGES = [
  '/developers/trial-key',
  '/developers/keys',
  '/developers/keys/some/rotate',
  '/developers/keys/some/end-overlap',
  '/developers/keys/some/revoke',
  '/developers/passkeys/some/remove',
  '/developers/passkeys/options',
  '/developers/passkeys',
  '/developers/sign-up/options',
  '/developers/sign-up',
  '/developers/sign-in/options',
  '/developers/sign-in',
  '/developers/recover',
  '/developers/recovery-codes',
  '/developers/sessions/some/end',
  '/developers/github',
  '/developers/github/disconnect',
  '/developers/delete',
  '/developers/sign-out',
];

describe('a cross-site request to change an account', () => {
  it.each(CHANGES)('is refused at %s', async (path) => {
    const { port } = new URL(baseUrl);
    const origins: Record<string, string>[] = [
      {},
      { Origin: 'null' },
      { Origin: 'https://evil.example' },
      { Origin: `http://localhost:${Number(port) + 1}` },
      { Origin: `${baseUrl}.evil.example` },
      { Origin: `http://127.0.0.1:${port}` },
      { Origin: 'https://evil.example', Referer: `${baseUrl}/developers` },
    ];
    for (const headers of origins) {
      const response = await post(path, { Cookie: cookie, ...headers }, 'name=x&confirm=Ann');
      expect(response.status, JSON.stringify(headers)).toBe(403);
      expect(response.headers.get('set-cookie')).toBeNull();
    }
    expect((await fetch(`${baseUrl}/api/v1/usage`, { headers: { Cookie: cookie } })).status).toBe(
      200,
    );
  });

  it('is refused in a browser from another port of localhost', async () => {
    const { createServer } = await import('node:http');
    const evil = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<form method="post" action="${baseUrl}/developers/recovery-codes"><button>Win</button></form>`,
      );
    });
    await new Promise<void>((resolve) => evil.listen(0, 'localhost', resolve));
    const { port } = evil.address() as { port: number };
    const page = await ann.context.newPage();
    await page.goto(`http://localhost:${port}/`);
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.url().startsWith(baseUrl)),
      page.getByRole('button').click(),
    ]);
    expect(response.status()).toBe(403);
    await page.goto(`${baseUrl}/developers`);
    expect(await page.getByText('You have no recovery codes').count()).toBe(1);
    await page.close();
    evil.close();
  });

  it('is not accepted over GET, which redirects to /developers', async () => {
    for (const path of CHANGES) {
      const response = await fetch(baseUrl + path, {
        headers: { Cookie: cookie },
        redirect: 'manual',
      });
      expect(response.headers.get('set-cookie')).toBeNull();
      if (path.endsWith('/options')) {
        expect(response.status, path).toBe(405);
      } else {
        expect(response.status, path).toBe(303);
        expect(response.headers.get('Location'), path).toBe('/developers');
      }
    }
  });
});

describe('a session', () => {
  it('starts with a new token and invalidates one planted in the browser (fixation)', async () => {
    const victim = await openPerson(browser);
    const planted = 'A'.repeat(43);
    const name = (await ann.context.cookies())[0]!.name;
    await victim.context.addCookies([
      { name, value: planted, domain: 'localhost', path: '/', secure: true, httpOnly: true },
    ]);
    await signUp(victim, 'Victim');
    const [own] = await victim.context.cookies();
    expect(own!.value).not.toBe(planted);
    const usage = (value: string) =>
      fetch(`${baseUrl}/api/v1/usage`, { headers: { Cookie: `${name}=${value}` } });
    expect((await usage(planted)).status).toBe(401);
    expect((await usage(own!.value)).status).toBe(200);
    await press(victim, 'Sign out');
    expect((await usage(own!.value)).status).toBe(401);
    await victim.context.close();
  });

  it('redirects only to /developers, whatever the query string says', async () => {
    const person = await openPerson(browser);
    const evil = 'next=https://evil.example&return_to=//evil.example&redirect_uri=//evil.example';
    await person.page.goto(`${baseUrl}/developers?${evil}&done=//evil.example`);
    await person.page.getByLabel('Account name').fill('Redirected');
    await press(person, 'Create an account with a passkey');
    expect(person.page.url()).toBe(`${baseUrl}/developers?done=welcome`);
    await press(person, 'Sign out');
    expect(person.page.url()).toBe(`${baseUrl}/developers?done=signed-out`);
    await person.context.close();
  });

  it('shows no text from the query string', async () => {
    const response = await fetch(`${baseUrl}/developers?done=<script>alert(1)</script>`);
    expect(await response.text()).not.toContain('alert(1)');
  });
});

describe('a passkey response', () => {
  it('is accepted once', async () => {
    const person = await openPerson(browser);
    await person.page.goto(`${baseUrl}/developers`);
    await person.page.getByLabel('Account name').fill('Replayed');
    const [signUpAnswer] = await Promise.all([
      captured(person.page, '/developers/sign-up'),
      press(person, 'Create an account with a passkey'),
    ]);
    await press(person, 'Sign out');
    const [signInAnswer] = await Promise.all([
      captured(person.page, '/developers/sign-in'),
      press(person, 'Sign in with a passkey'),
    ]);
    for (const [path, answer] of [
      ['/developers/sign-up', signUpAnswer],
      ['/developers/sign-in', signInAnswer],
    ] as const) {
      const response = await post(path, { Origin: baseUrl }, answer);
      expect(response.status).toBe(400);
      expect(response.headers.get('set-cookie')).toBeNull();
      expect((await body(response)).error).toContain('sent twice');
    }
    await person.context.close();
  });

  it('is valid only for the account and the purpose it was requested for', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Mallory');
    await person.newAuthenticator();
    // The page gets the passkey options of another account.
    await person.page.route('**/developers/passkeys/options', async (route) => {
      const options = await post(
        '/developers/passkeys/options',
        { Origin: baseUrl, Cookie: cookie },
        {},
      );
      await route.fulfill({ json: await options.json() });
    });
    await person.page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect
      .poll(() => person.page.locator('#problem').textContent())
      .toContain('expired or was sent twice');
    await person.page.unroute('**/developers/passkeys/options');
    await person.page.route('**/developers/passkeys/options', async (route) => {
      const options = await post(
        '/developers/sign-up/options',
        { Origin: baseUrl },
        { name: 'Other' },
      );
      await route.fulfill({ json: await options.json() });
    });
    await person.page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect
      .poll(() => person.page.locator('#problem').textContent())
      .toContain('expired or was sent twice');
    await person.context.close();
  });

  it('is refused if its signature is changed', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Signed');
    await press(person, 'Sign out');
    let sent: Record<string, unknown> = {};
    await person.page.route('**/developers/sign-in', async (route) => {
      const answer = route.request().postDataJSON();
      const signature = String(answer.response.signature);
      answer.response.signature = `${signature.slice(0, -6)}AAAAAA`;
      sent = answer;
      await route.continue({ postData: JSON.stringify(answer) });
    });
    await person.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect
      .poll(() => person.page.locator('#problem').textContent())
      .toContain('could not be verified');
    expect(sent.id).toBeTruthy();
    await person.context.close();
  });

  it.each([
    {},
    { id: 'x', response: null },
    { id: 'x', response: { clientDataJSON: '%%%' } },
    { id: {}, response: { clientDataJSON: 'e30' } },
    { response: { clientDataJSON: btoa('{"challenge":5}') } },
    { response: { clientDataJSON: btoa('{"challenge":"unknown"}') } },
  ])('is answered with 400 if it is malformed: %j', async (answer) => {
    for (const path of ['/developers/sign-in', '/developers/sign-up']) {
      expect((await post(path, { Origin: baseUrl }, answer)).status).toBe(400);
    }
  });
});

describe('an account form', () => {
  const signedIn = () => ({ Origin: baseUrl, Cookie: cookie });

  it.each([
    ['no name', 'name='],
    ['a long name', `name=${'x'.repeat(61)}`],
    ['a name with a line break', 'name=a%0D%0ASet-Cookie:%20x=y'],
    ['a name with a control character', 'name=a%00b'],
    ['a malformed expiry date', 'name=a&expires=soon'],
    ['a past expiry date', 'name=a&expires=2020-01-01'],
    ['an expiry date that does not exist', 'name=a&expires=2027-02-31'],
    ['an expiry date in the far future', 'name=a&expires=9999-12-31'],
  ])('returns 400 and shows the error on the page for a key with %s', async (_, content) => {
    const response = await post('/developers/keys', signedIn(), content);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('role="alert"');
  });

  it('cannot change the key, passkey or session of another account', async () => {
    const bob = await openPerson(browser);
    await signUp(bob, 'Bob');
    await bob.page.getByLabel('Name', { exact: true }).fill('k');
    await press(bob, 'Create the key');
    const actions = await bob.page
      .locator('form[action^="/developers/keys/"], form[action*="/passkeys/"]')
      .evaluateAll((forms) => forms.map((form) => form.getAttribute('action')!));
    expect(actions.length).toBeGreaterThan(1);
    for (const action of actions) {
      const response = await post(action, signedIn(), 'overlap=0');
      expect([404, 409], action).toContain(response.status);
    }
    await bob.context.close();
  });

  it('returns 401 to a visitor who is not signed in', async () => {
    for (const path of ['/developers/keys', '/developers/delete', '/developers/recovery-codes']) {
      expect((await post(path, { Origin: baseUrl }, 'name=x')).status, path).toBe(401);
    }
  });

  it('is refused before it is read if it is too large or has another type', async () => {
    const large = await post('/developers/keys', signedIn(), `name=${'x'.repeat(70_000)}`);
    expect(large.status).toBe(413);
    const json = await post('/developers/keys', signedIn(), { name: 'x' });
    expect(json.status).toBe(415);
    const plain = await post('/developers/sign-in', { Origin: baseUrl }, 'name=x');
    expect(plain.status).toBe(415);
  });

  it('creates at most 20 keys in 24 hours, including revoked ones', async () => {
    const person = await openPerson(browser);
    await signUp(person, 'Collector');
    const own = { Origin: baseUrl, Cookie: await cookieOf(person) };
    for (let number = 0; number < 20; number++) {
      expect((await post('/developers/keys', own, `name=${number}`)).status).toBe(200);
    }
    const refused = await post('/developers/keys', own, 'name=21');
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('limited to 20 active keys');
    await person.page.goto(`${baseUrl}/developers`);
    const revoke = 'form[action$="/revoke"]';
    const actions = await person.page
      .locator(revoke)
      .evaluateAll((forms) => forms.map((form) => form.getAttribute('action')!));
    for (const action of actions.slice(0, 12)) {
      expect((await post(action, own)).status).toBe(303);
    }
    const still = await post('/developers/keys', own, 'name=22');
    expect(still.status).toBe(429);
    expect(Number(still.headers.get('Retry-After'))).toBeGreaterThan(23 * 3600);
    expect(await still.text()).toContain('limited to 20 new keys in 24 hours');
    await person.page.goto(`${baseUrl}/developers`);
    await person.page.getByText('12 inactive keys, the latest 10 of them').click();
    expect(await person.page.getByText('revoked', { exact: true }).count()).toBe(10);
    await person.context.close();
  });

  it('creates no second key when its response is reloaded', async () => {
    const person = await openPerson(browser);
    const { page } = person;
    const reload = async () => {
      await page.reload();
      expect(await page.getByText('This form was already submitted').count()).toBe(1);
    };
    await page.goto(`${baseUrl}/developers`);
    await press(person, 'Create a trial key');
    await reload();
    await signUp(person, 'Reloader');
    await page.getByLabel('Name', { exact: true }).fill('once');
    await press(person, 'Create the key');
    await reload();
    expect(await page.locator('form[action$="/revoke"]').count()).toBe(1);
    await press(person, 'Create recovery codes');
    const [code] = ((await page.locator('#codes').textContent()) ?? '').trim().split('\n');
    await page.reload();
    expect(await page.getByText('The codes have been replaced since').count()).toBe(1);
    // The browser sends a GET request when the user presses Enter in the address bar.
    await page.goto(page.url());
    expect(page.url()).toBe(`${baseUrl}/developers`);
    await press(person, 'Sign out');
    await page.getByText('I lost my passkeys').click();
    await page.getByLabel('Recovery code').fill(code!);
    await press(person, 'Sign in with the code');
    expect(await page.getByText('Signed in as Reloader').count()).toBe(1);
    await person.context.close();
  });
});

describe('account pages', () => {
  it('are not cached or framed, and run only our scripts', async () => {
    const response = await fetch(`${baseUrl}/developers`, { headers: { Cookie: cookie } });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const policy = response.headers.get('Content-Security-Policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });

  it('issue no session at an address where nobody can sign in', async () => {
    const url = baseUrl.replace('localhost', '127.0.0.1');
    const response = await fetch(`${url}/developers`, { headers: { Cookie: cookie } });
    expect(await response.text()).not.toContain('Signed in as');
  });
});
