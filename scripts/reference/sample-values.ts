/**
 * The values that replace `…` in the examples of documents and endpoints, so that the API reference shows realistic
 * results.
 */
import { isExecutable } from '../../src/catalogue/catalogue.ts';
import { TOOLS } from '../../src/tools/registry.ts';

const MINUTE_MS = 60_000;
const FILE_ID = `${(Date.UTC(2026, 10, 30, 9, 30) / MINUTE_MS).toString(36)}V1StGXR8Z5jdHi6BmyTq2w`;
const HOW_TO = '/how-to/merge-pdfs-into-one-document';

/** Sample values by field name, or by `object.field` for ambiguous names. */
const VALUES: Record<string, unknown> = {
  fileId: FILE_ID,
  requestId: 'ba854c52024a4894-f',
  expiresAt: '2026-11-30T09:30:00.000Z',
  deleteToken: 'gT6vZ0cQmK2xW9pLr4nB7s',
  size: 148_213,
  inputBytes: 1_204_558,
  bytes: 148_213,
  width: 426,
  height: 240,
  durationMs: 4,
  confidence: 0.96,
  cached: false,
  code: 'k7Qm2xWd',
  count: TOOLS.length,
  executableCount: TOOLS.filter(isExecutable).length,
  uploadUrl: '{base_url}/api/v1/uploads/gT6vZ0cQmK2xW9pLr4nB7s',
  id: 'V1StGXR8Z5jdHi6BmyTq2w',
  score: 0.87,
  title: 'How to merge PDFs into one document',
  description: 'Put a cover, a report and scans into one PDF, in the order you want.',
  path: HOW_TO,
  section: 'How-to',
  heading: 'Merge',
  tags: ['pdf', 'merge'],
  publishedAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-23T00:00:00.000Z',
  url: `{base_url}${HOW_TO}`,
  nextCursor: '1',
  retrieval: 'hybrid',
  name: 'laptop',
  display: 'tsk_8Kd2…p9Qe',
  resetsAt: '2026-11-24T00:00:00.000Z',
  'today.requests': 120,
  'today.limit': 10_000,
  'today.remaining': 9880,
  'month.tokens': 5200,
  'month.limit': 1_000_000,
  'month.remaining': 994_800,
  'month.resetsAt': '2026-12-01T00:00:00.000Z',
  'stored.limit': 10_000_000_000,
  'stored.remaining': 9_999_851_787,
  days: [{ day: '2026-11-23', tool: TOOLS[0]!.name, calls: 120, tokens: 0 }],
  refused: [],
  webhookSecret: 'whsec_q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng=',
};

/** Replacements for strings in which `…` stands for part of the string. */
const TEXTS: Record<string, string> = {
  '/how-to/…': HOW_TO,
  '…/clip.mp4': `{base_url}/files/${FILE_ID}/clip.mp4`,
  '…/files/….webp': `{base_url}/files/${FILE_ID}/shop.example.webp`,
  '…/…': '{base_url}/k7Qm2xWd',
  '<DATA>…</DATA>': '<DATA>The order of the files is the order of the pages.</DATA>',
  'tsk_……': 'tsk_8Kd2…p9Qe',
  'Dear reader,…the invoice is due on Monday.…Yours, Ann':
    'Dear reader,\n\nthe invoice is due on Monday.\n\nYours, Ann',
  'Lorem ipsum dolor sit amet …\nSed ut perspiciatis …':
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit.\nSed ut perspiciatis unde omnis iste natus.',
};

/** Replaces each `…` in `result`, except where it stands for more items or long content. */
export function withValues(result: unknown, parent = '', name = ''): unknown {
  if (typeof result === 'string') return textOf(result, parent, name);
  if (Array.isArray(result)) return result.map((item) => withValues(item, name));
  if (typeof result !== 'object' || result === null) return result;
  const fields = Object.entries(result);
  return Object.fromEntries(
    fields.map(([field, value]) => [field, withValues(value, name, field)]),
  );
}

const textOf = (text: string, parent: string, name: string): unknown =>
  text === '…'
    ? (VALUES[`${parent}.${name}`] ?? VALUES[name] ?? text)
    : (TEXTS[text] ?? text.replace('…/files/…/', `{base_url}/files/${FILE_ID}/`));
