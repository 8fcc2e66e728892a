/** Provides a browser with a separate passkey authenticator, for sign-in tests. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { isRepeated } from './chromium.ts';
import { baseUrl } from './service.ts';

export interface Person {
  context: BrowserContext;
  page: Page;
  /** The errors that the browser reported, without refused calls that the page repeats. */
  problems: string[];
  /** Replaces the authenticator with a new one without passkeys. */
  newAuthenticator(): Promise<void>;
}

/** Opens a browser context with an authenticator that confirms every request. */
export async function openPerson(browser: Browser, options = {}): Promise<Person> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRepeated(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  let authenticatorId: string | undefined;
  const newAuthenticator = async () => {
    if (authenticatorId) {
      await devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    }
    const added = await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    authenticatorId = added.authenticatorId;
  };
  await newAuthenticator();
  return { context, page, problems, newAuthenticator };
}

/** Creates an account through the sign-up form. */
export async function signUp({ page }: Person, name: string, url = baseUrl): Promise<void> {
  await page.goto(`${url}/developers`);
  await page.getByLabel('Account name').fill(name);
  await page.getByRole('button', { name: 'Create an account with a passkey' }).click();
  await page.getByText(`Signed in as ${name}`).waitFor();
}

/** Presses a button and waits for the next page to load. */
export async function press({ page }: Person, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: typeof name === 'string' });
  await Promise.all([page.waitForEvent('load'), button.first().click()]);
}

/** Returns the session cookie as a `Cookie` header value, for calls outside the browser. */
export async function cookieOf({ context }: Person): Promise<string> {
  const cookies = await context.cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}
