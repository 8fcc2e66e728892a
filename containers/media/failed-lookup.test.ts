import { expect, it, vi } from 'vitest';
import { targetOf } from './guarded-fetch.ts';

vi.mock('node:dns/promises', () => ({
  lookup: async (name: string) => {
    const code = name === 'broken.example' ? 'EAI_AGAIN' : 'ENOTFOUND';
    throw Object.assign(new Error(`getaddrinfo ${code}`), { code });
  },
}));

it.each([
  ['broken.example', 'The DNS lookup of broken.example failed. Try again.'],
  [
    'unknown.example',
    'The name unknown.example does not resolve to an address. Check its spelling.',
  ],
])(
  'the guarded fetch distinguishes a failed lookup from an unknown name: %s',
  async (name, message) => {
    const settings = { hosts: new Map<string, string>(), dnsOverHttpsUrl: undefined };
    const target = targetOf(new URL(`http://${name}/`), settings, new AbortController().signal);
    await expect(target).rejects.toMatchObject({ status: 502, message });
  },
);
