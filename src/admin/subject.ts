/** Parses the text that names a subject. A subject is a link, file, key, account, report, network, maker or host. */
import { networkIn } from '../access/blocks.ts';
import { readMaker } from '../access/makers.ts';
import type { Subject } from '../core/moderation.ts';
import { fileExpiry } from '../lib/file-id.ts';

export const REPORT_ID = /^r_[0-9A-Za-z]{12}$/;
const CODE = /^[A-Za-z0-9_-]{3,32}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const KEY_ID = /^[\da-f]{32}$/;

export interface Addresses {
  baseUrl: string;
  storageUrl: string;
}

/** Returns the file or short link that a link of this service refers to. Returns null for any other text. */
export function linkedSubject(text: string, { baseUrl, storageUrl }: Addresses): Subject | null {
  const url = URL.parse(text.trim());
  if (!url) return null;
  const path = (base: string) =>
    url.host === new URL(base).host ? url.pathname.split('/').slice(1) : [];
  const [folder, id = ''] = path(storageUrl);
  if (folder === 'files' && fileExpiry(id) !== null) return { kind: 'file', value: id };
  const [code = '', ...rest] = path(baseUrl);
  return CODE.test(code) && rest.join('') === '' ? { kind: 'link', value: code } : null;
}

/**
 * Parses a subject in its text form (`kind:value`) and normalizes it. Returns null if the kind is unknown or the value
 * does not fit it. A key may be given by its display form, and an account by its name.
 */
export function subjectIn(text: string): Subject | null {
  const [, kind, given = ''] = /^([a-z]{3,10}):(.{1,200})$/s.exec(text.trim()) ?? [];
  const value = given.trim();
  const fits = (isRight: boolean): Subject | null =>
    isRight ? { kind: kind as Subject['kind'], value } : null;
  switch (kind) {
    case 'file':
      return fits(fileExpiry(value) !== null);
    case 'link':
      return fits(CODE.test(value));
    case 'report':
      return fits(REPORT_ID.test(value));
    case 'maker':
      return fits(readMaker(value) !== null);
    case 'key':
    case 'account':
      return fits(value !== '');
    case 'host': {
      const host = hostIn(value);
      return host === null ? null : { kind, value: host };
    }
    case 'network': {
      const network = networkIn(value);
      return network === null ? null : { kind, value: network };
    }
    default:
      return null;
  }
}

/**
 * Normalizes a host to the form used in links: lower case and Punycode, with brackets around an IPv6 address. Returns
 * null for anything else. Also returns null for a single label, because a block on `com` would apply to every host
 * below it.
 */
function hostIn(text: string): string | null {
  if (!/^(\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)$/i.test(text)) return null;
  const host = URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') ?? '';
  return /^\[|[^.]\.[^.]/.test(host) && text.search(/[.:]/) > 0 ? host : null;
}

/** Returns the subjects that a text without a kind may refer to, most likely first. */
export function likelySubjects(text: string, addresses: Addresses): Subject[] {
  const value = text.trim();
  const linked = linkedSubject(value, addresses);
  if (linked) return [linked];
  if (fileExpiry(value) !== null) return [{ kind: 'file', value }];
  if (REPORT_ID.test(value)) return [{ kind: 'report', value }];
  if (readMaker(value)) return [{ kind: 'maker', value }];
  const network = networkIn(value);
  if (network) return [{ kind: 'network', value: network }];
  // The ID of an operator's key has the same format as an account ID.
  if (UUID.test(value)) {
    return [
      { kind: 'account', value },
      { kind: 'key', value },
    ];
  }
  if (KEY_ID.test(value) || value.startsWith('tsk_')) return [{ kind: 'key', value }];
  const host = hostIn(value);
  return [
    ...(CODE.test(value) ? [{ kind: 'link', value } as const] : []),
    { kind: 'account', value },
    ...(host === null ? [] : [{ kind: 'host', value: host } as const]),
  ];
}
