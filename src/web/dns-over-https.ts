/** Resolves a host name over HTTPS in the JSON format (application/dns-json). */
import { unavailable, upstreamFailed } from '../core/errors.ts';
import { readBounded } from '../lib/body.ts';

const TYPES = { A: 1, AAAA: 28 } as const;
const NO_SUCH_NAME = 3;
/** The maximum size of a response in bytes. A DNS message is at most 64 KB, but its JSON form is longer. */
const MAX_BYTES = 256 * 1024;

interface Answer {
  Status: number;
  Answer?: { type: number; data: string }[];
}

/**
 * Returns every IPv4 and IPv6 address of `name`. Throws 502 if the name has no address or one of the two lookups fails,
 * because an address that is not returned is not checked. Throws 503 if the resolver does not return a DNS response.
 */
export async function resolveOverHttps(
  resolver: string,
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  const answers = await Promise.all(
    Object.entries(TYPES).map(async ([type, number]) => {
      const answer = await query(resolver, name, type, signal);
      return (answer.Answer ?? [])
        .filter((record) => record.type === number)
        .map(({ data }) => data);
    }),
  );
  const addresses = answers.flat();
  if (addresses.length === 0) throw doesNotResolve(name);
  return addresses;
}

export const doesNotResolve = (name: string) =>
  upstreamFailed(`The name ${name} does not resolve to an address. Check its spelling.`);

export const lookupFailed = (name: string, cause?: unknown) =>
  upstreamFailed(`The DNS lookup of ${name} failed. Try again.`, cause);

async function query(
  resolver: string,
  name: string,
  type: string,
  signal: AbortSignal,
): Promise<Answer> {
  const url = new URL(resolver);
  url.searchParams.set('name', name);
  url.searchParams.set('type', type);
  let answer: Answer;
  try {
    const response = await fetch(url, { headers: { Accept: 'application/dns-json' }, signal });
    const bytes = await readBounded(response.body, MAX_BYTES);
    answer = JSON.parse(new TextDecoder().decode(bytes)) as Answer;
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable('The DNS lookup failed. Try again.', 5, error);
  }
  if (answer.Status !== 0 && answer.Status !== NO_SUCH_NAME) {
    throw lookupFailed(name, new Error(`the DNS response has the status ${answer.Status}`));
  }
  return answer;
}
