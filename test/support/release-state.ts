/**
 * Provides the state that the service of an earlier release wrote, and the data that this service confirmed
 * (docs/releases.md, Make a release).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GithubStandIn } from './github-stand-in.ts';

export const RELEASE_STATE = 'test/start/release-state.tar.gz';
export const CONFIRMED = 'confirmed.json';

export interface Confirmed {
  /** The commit of the release. */
  release: string;
  /** The account, which signs in with GitHub. */
  account: { id: string; github: GithubStandIn['user'] };
  /** The `Cookie` header of a browser in which the account is signed in. */
  session: string;
  key: string;
  /** A request with an Idempotency-Key: the key, the body, and the response. */
  repeatable: { idempotencyKey: string; body: string; response: string };
  /** The path of an unused upload URL. */
  uploadAddress: string;
  /** The path and the target of a short link. */
  link: [string, string];
  /** The path and the text of a stored file. */
  file: [string, string];
  /**
   * The paths of two jobs: one that finished with the given text, and one that was interrupted while it was running.
   */
  finished: [string, string];
  interrupted: string;
}

/** Unpacks the state into `stateDir`. */
export function unpackReleaseState(stateDir: string): Confirmed {
  mkdirSync(stateDir, { recursive: true });
  execFileSync('tar', [
    ...['--extract', '--gzip', '--file', RELEASE_STATE, '--directory', stateDir],
    '--no-same-owner',
  ]);
  return JSON.parse(readFileSync(join(stateDir, CONFIRMED), 'utf8'));
}

/** Signs in with GitHub. Returns the session's `Cookie` header and the HTML of the account page. */
export async function signInWithGithub(baseUrl: string): Promise<{ cookie: string; page: string }> {
  const cookies: string[] = [];
  const open = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { Origin: baseUrl, Cookie: cookies.join('; ') },
    });
    cookies.push(...response.headers.getSetCookie().map((line) => line.split(';')[0]!));
    return response;
  };
  const locationOf = (response: Response) => response.headers.get('location')!;
  const begun = await open(`${baseUrl}/developers/github`, {
    method: 'POST',
    body: new URLSearchParams(),
  });
  const allowed = await fetch(locationOf(begun), { redirect: 'manual' });
  await open(locationOf(allowed));
  const page = await (await open(`${baseUrl}/developers`)).text();
  return { cookie: cookies.join('; '), page };
}
