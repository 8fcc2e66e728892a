/** shorten_url: creates a permanent short link to an http(s) URL. */
import * as z from 'zod';
import { defineTool } from '../../core/define-tool.ts';
import { badRequest, conflict } from '../../core/errors.ts';
import { isReservedPath } from '../../core/reserved-paths.ts';
import { json } from '../../core/tool-output.ts';
import { randomText } from '../../lib/random-text.ts';
import { parseTarget } from './parse-target.ts';

const CODE = /^[A-Za-z0-9_-]{3,32}$/;
/** Letters and digits, except 0, O, 1 and l, which are ambiguous. */
const ALPHABET = '23456789ABCDEFGHIJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 8;
/** There are 58^8 short codes, so one collision is rare and several in a row indicate a fault. */
const TRIES = 5;

export const shortenUrl = defineTool({
  name: 'shorten_url',
  title: 'Shorten a URL',
  shortName: 'Shorten URL',
  kind: 'files',
  icon: 'link',
  domain: 'web',
  description:
    'Creates a permanent short link to an absolute http or https URL. It cannot be edited or deleted. The target is ' +
    'stored as the URL parser normalizes it and is never fetched or checked.',
  input: z.strictObject({
    url: z.string().describe('An absolute http or https URL, including the scheme.'),
    customCode: z
      .string()
      .optional()
      .describe(
        'Last path segment of the link: 3 to 32 letters, digits, hyphens, underscores. Default: 8 random characters.',
      ),
  }),
  output: z.object({
    code: z.string().describe('The last part of the link.'),
    shortUrl: z.string().describe('A permanent link.'),
  }),
  example: {
    parameters: { url: 'https://example.com/a/long/path?with=parameters' },
    result: { code: 'k3Xw9', shortUrl: 'https://tools.example/k3Xw9' },
  },
  form: {
    url: { label: 'Long link', help: '', control: 'address' },
    customCode: {
      label: 'Ending of the short link',
      help: '3 to 32 letters, digits, hyphens or underscores. Empty: random.',
    },
  },
  synonyms: ['shortener', 'short link', 'tiny', 'bitly', 'redirect'],
  access: 'anyone',
  limits: [{ calls: 30, per: 'hour', by: 'ip' }],
  surfaces: ['rest', 'mcp', 'chain'],
  annotations: { readOnly: false, idempotent: false, openWorld: false, destructive: false },
  needs: ['links', 'storage'],
  check: ({ url, customCode }) => {
    const target = parseTarget(url);
    if (customCode !== undefined) checkCode(customCode);
    return target;
  },
  checkWith: (_, { links }, url) => {
    if (links.leadsHere(url)) {
      throw badRequest('The URL is a short link of this service. Use its target URL.', 'url');
    }
  },
  async run({ customCode }, { links, storage, caller, warn }, url) {
    const end = storage.expiryOf(url.href);
    if (end !== null) {
      warn(
        `url: the target is a stored file that is deleted on ${new Date(end).toISOString().slice(0, 16)}Z; the short link stops working then.`,
      );
    }
    if (customCode !== undefined) {
      if (await links.create(customCode, url.href, caller)) return linkTo(customCode);
      throw conflict(
        `The code "${customCode}" is taken. Choose a different code, or omit customCode.`,
        'customCode',
      );
    }
    for (let tries = 0; tries < TRIES; tries++) {
      const code = randomText(ALPHABET, RANDOM_CHARACTERS);
      if (!isReservedPath(code) && (await links.create(code, url.href, caller)))
        return linkTo(code);
    }
    throw new Error('no free code was found');

    function linkTo(code: string) {
      return json({ code, shortUrl: links.shortUrl(code) });
    }
  },
});

function checkCode(code: string): void {
  if (!CODE.test(code)) {
    throw badRequest(
      'The customCode must have 3 to 32 characters: letters, digits, hyphens and underscores.',
      'customCode',
    );
  }
  if (isReservedPath(code)) {
    throw badRequest(
      `The code "${code}" is reserved for the site itself. Choose a different code.`,
      'customCode',
    );
  }
}
