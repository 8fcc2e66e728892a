/**
 * Checks the limits in docs/security.md. Each number in its tables must occur in the code that sets the limit, and each
 * file that the tables name must exist.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The number as shown in the table, the file that sets the limit, and the code in that file. */
type Source = readonly [shown: string, file: string, code: string];

const tool = (shown: string, name: string, per = 'hour'): Source => [
  shown,
  `src/tools/${name}/${name}.ts`,
  `{ calls: ${shown}, per: '${per}'`,
];
const generalLimits = 'src/access/general-limits.ts';
const anonymousCalls: Source = ['35', generalLimits, "anonymous: { calls: 35, per: 'hour' }"];
const knownCalls: Source = ['60', generalLimits, "known: { calls: 60, per: 'minute' }"];
const chains: Source = ['12', generalLimits, "everyone('chains', { calls: 12, per: 'minute' })"];
const twoASecond: Source = [
  '120',
  generalLimits,
  "TWO_A_SECOND: Rate = { calls: 120, per: 'minute' }",
];
const limits = (shown: string, code: string): Source => [shown, 'src/core/limits.ts', code];
const proxy = (shown: string, code: string): Source => [shown, 'scripts/proxy-limits.ts', code];
const slow = (shown: string, code: string): Source => [shown, 'scripts/slow-clients.ts', code];
const traffic = (shown: string, code: string): Source => [
  shown,
  'src/adapters/browser-traffic.ts',
  code,
];
const large = (shown: string, code: string): Source => [shown, 'src/adapters/large-calls.ts', code];
const smallJson: Source = ['64', 'src/core/large-call.ts', 'SMALL_JSON_BYTES = 64 * 1024'];
const smallBody: Source = ['64', 'scripts/proxy-exchange.ts', 'SMALL_BODY_BYTES = 64 * 1024'];
const quotas = 'src/access/api-keys.ts';
const anonymousBytes: Source = ['2', quotas, 'ANONYMOUS_BYTES_PER_DAY = 2 * GB'];
const freeCalls = (name: string): Source => [
  '3',
  `src/tools/${name}/${name}.ts`,
  'anonymousPerHour: 3',
];
const tokens = (shown: string, file: string): Source => [
  shown,
  file,
  `MAX_TOKENS = ${shown.replace(',', '')};`,
];
/** Returns the source of a number that is not a limit, such as a status code. */
const plain = (shown: string): Source => [shown, 'docs/security.md', shown];

const SOURCES: Record<string, readonly Source[]> = {
  'CPU seconds of programs, all tools together': [
    ['60', 'containers/media/cpu-ledger.ts', "['address', 60]"],
    ['240', 'containers/media/cpu-ledger.ts', "['account', 240]"],
  ],
  'Slots in a media queue': [plain('503')],
  'CPU seconds of one program': [
    ['10', 'containers/media/work-limit.ts', 'MIN_SECONDS = 10;'],
    ['1', 'containers/media/work-limit.ts', 'bytes / MB - 1'],
    ['3', 'containers/media/work-limit.ts', 'SECONDS_PER_MB = 3;'],
  ],
  'Searches on the page `/search`, each of which may call a model': [
    ['30', generalLimits, "everyone('searches', { calls: 30, per: 'minute' })"],
  ],
  'CPU of parsers in the Worker': [],
  'JSON built for one call': [
    limits('8', 'MAX_JSON_BYTES = 8 * MB'),
    ['200,000', 'src/lib/json-bounds.ts', 'MAX_JSON_VALUES = 200_000'],
    ['1,000', 'src/lib/json-bounds.ts', 'MAX_JSON_DEPTH = 1000'],
  ],
  'Large JSON calls that compute': [
    large('64', 'CPU = { units: 1, perCaller: 1, entries: 64'),
    plain('503'),
  ],
  'Memory of bodies over 64 KiB and of large answers, read or not': [
    smallJson,
    large('16', 'perCaller: 16 * MB'),
    large('32', 'units: 32 * MB'),
  ],
  'Fields of a JSON object in a call': [['1,000', 'src/lib/body.ts', 'MAX_FIELDS = 1000']],
  'Work for a caller whose limit is spent': [],
  'Fetched pages read': [
    tool('20', 'fetch_page_metadata', 'minute'),
    ['5', 'src/web/fetch-page.ts', 'MAX_BYTES = 5 * MB'],
  ],
  Captures: [tool('10', 'screenshot_url', 'minute'), tool('100', 'screenshot_url', 'day')],
  'Browser slots': [
    ['2', 'src/adapters/browser-pool.ts', 'PER_CALLER = 2'],
    ['4', 'src/core/settings.ts', 'HOME_BROWSERS = 4'],
  ],
  'Time of a capture': [['50', 'src/core/settings.ts', "default: '50'"]],
  'Messages that a page causes in a capture': [
    traffic('3,000', 'MAX_MESSAGES = 3000'),
    traffic('16', 'MAX_CHARACTERS = 16 * 2 ** 20'),
    plain('502'),
  ],
  'Requests of a page in a capture': [
    ['1,000', 'src/adapters/browser-guard.ts', 'MAX_REQUESTS = 1000'],
    ['32', 'src/adapters/browser-guard.ts', 'MAX_AT_ONCE = 32'],
    ['10', 'src/adapters/browser-guard.ts', 'MAX_RESPONSE_BYTES = 10 * 2 ** 20'],
  ],
  'Processor of a browser': [],
  'Memory of a browser': [
    ['2', 'scripts/browser.ts', 'PROCESS_BYTES = 2 * 1024 ** 3'],
    ['1.5', 'scripts/browser-watch.ts', 'BROWSER_BYTES = 1.5 * 1024 ** 3'],
    ['50', 'scripts/browser-watch.ts', 'BROWSER_PROCESSES = 50'],
  ],
  'Captures in one browser process': [
    ['10', 'src/adapters/browser-session.ts', 'MAX_CAPTURES = 10'],
    ['5', 'src/adapters/browser-session.ts', 'MAX_AGE_MS = 5 * 60_000'],
  ],
  'Model calls': [
    plain('75'),
    tool('10', 'generate_blog_outline', 'minute'),
    tool('15', 'generate_text', 'minute'),
    ...[freeCalls('draft_email'), freeCalls('generate_sql')],
    tool('20', 'split_image'),
    ['24', 'src/execute/plan-chain.ts', 'TRIES = 2'],
    tool('15', 'draft_email', 'minute'),
    tool('15', 'generate_sql', 'minute'),
    tool('30', 'humanize_text'),
    tool('20', 'generate_image'),
  ],
  'Tokens a model may write': [
    plain('113,200'),
    tokens('1,000', 'src/tools/generate_blog_outline/generate_blog_outline.ts'),
    tokens('1,500', 'src/tools/generate_text/generate_text.ts'),
    tokens('400', 'src/tools/draft_email/draft_email.ts'),
    tokens('500', 'src/tools/generate_sql/generate_sql.ts'),
    tokens('1,500', 'src/tools/split_image/seen-panels.ts'),
    tokens('2,000', 'src/execute/plan-chain.ts'),
    ['20,000', quotas, 'tokensPerMonth: 20_000'],
    ['1,000,000', quotas, 'tokensPerMonth: 1_000_000'],
  ],
  'Bytes stored in a day': [
    ...[anonymousBytes, anonymousBytes],
    ['10', quotas, 'bytesPerDay: 10 * GB'],
  ],
  'Bytes stored by all callers without an account': [],
  'Bytes stored in all': [
    limits('5', 'Math.min(GB, total / 20)'),
    limits('1', 'Math.min(GB, total / 20)'),
  ],
  'A stored JSON result': [limits('8', 'MAX_STORED_JSON_BYTES = 8 * MB')],
  'Bytes of a request': [
    limits('64', 'MAX_BODY_BYTES = 64 * MB'),
    limits('8', 'MAX_JSON_BYTES = 8 * MB'),
    ['16', 'src/rest/multipart-parser.ts', 'MAX_HEADER_BYTES = 16 * 1024'],
  ],
  'Bytes out': [
    twoASecond,
    limits('50', 'MAX_FILE_BYTES = 50 * MB'),
    ['1', 'src/web/page-metadata.ts', 'MAX_METADATA_BYTES = 512 * 1024'],
  ],
  Connections: [proxy('64', 'perNetwork: 64'), proxy('2,048', 'total: 2048')],
  'Concurrent requests': [proxy('64', 'perNetwork: 64')],
  'Bodies over 64 KiB that are being sent': [smallBody, proxy('512', 'largeBodies: 512')],
  'Small requests that workerd computes': [['32', 'scripts/fair-starts.ts', 'SLOTS = 32']],
  'Unanswered requests': [proxy('16', 'pipelined: 16')],
  'Starts of bodies over 64 KiB': [smallBody, ['5', 'scripts/paced-starts.ts', 'SPACING_MS = 5;']],
  'A response that waits for its client': [
    slow('16', 'responseRate: 16 * KB'),
    slow('60', 'responseIdleMs: 60_000'),
  ],
  'Stored files opened before admission': [
    smallJson,
    ['100', 'src/tools/merge_pdf/merge_pdf.ts', 'max: 100'],
  ],
  'A silent or slow body': [slow('20', 'bodyIdleMs: 20_000'), slow('1', 'bodyRate: KB')],
  'Pieces of a body': [
    ['32', 'scripts/proxy-exchange.ts', 'MIN_MEAN_BYTES = 32'],
    ['10,000', 'scripts/proxy-exchange.ts', 'MANY_PIECES = 10_000'],
    ['100', 'scripts/connection-limits.ts', 'PAUSE_MS = 100'],
  ],
  Headers: [
    proxy('10', 'headersMs: 10_000'),
    ['16', 'scripts/proxy-server.ts', 'larger than 16 KB'],
    proxy('100', 'headers: 100'),
  ],
  'A response that is not read': [slow('60', 'responseIdleMs: 60_000')],
  'Work that a page of another origin causes': [],
  'Limiter calls': [
    ...['1', '2', '1'].map(plain),
    ['30', 'src/access/reserve.ts', 'FRESH_MS = 30_000'],
    plain('3'),
  ],
  'Running jobs': [
    ['3', 'src/jobs/slots.ts', 'perOwner = Math.max(1, most - 1)'],
    ['4', 'src/jobs/slots.ts', 'AT_ONCE = 4;'],
  ],
  'Progress token of an MCP call, which each notification repeats': [
    ['1,000', 'src/mcp/request-params.ts', 'MAX_PROGRESS_TOKEN_CHARACTERS = 1000;'],
  ],
  'Files of Durable Objects without data (locally), such as those of guessed job IDs': [twoASecond],
  'New job objects': [anonymousCalls, chains, knownCalls, chains],
  'New idempotency objects': [
    anonymousCalls,
    ['25', generalLimits, "anonymous: { calls: 25, per: 'hour' }"],
    ...[chains, twoASecond, knownCalls, chains, twoASecond],
    ['300', generalLimits, "known: { calls: 300, per: 'hour' }"],
  ],
  'D1 rows written by tools': [tool('30', 'shorten_url'), twoASecond],
  'D1 writes of anonymous usage, refused calls and visits': [
    ['60', 'src/adapters/gatherer.ts', 'GATHER_MS = 1000'],
  ],
  'Sign-ins, recovery codes, trial keys': [
    ['30', 'src/access/visitor-limits.ts', "calls: 30,\n    per: 'minute'"],
    ['10', 'src/access/visitor-limits.ts', "calls: 10,\n    per: 'hour'"],
    ['3', 'src/access/visitor-limits.ts', "calls: 3,\n    per: 'day'"],
  ],
  'Abuse reports': [
    ['5', 'src/access/visitor-limits.ts', "calls: 5,\n    per: 'hour'"],
    ['1,000', 'src/admin/report.ts', 'MAX_OPEN = 1000'],
  ],
  'D1 reads of the block list': [['30', 'src/access/blocks.ts', 'refreshMs: 30_000']],
};

interface Row {
  what: string;
  /** The column with the limits. */
  limits: string;
  enforcedBy: string;
  test: string;
}

const text = readFileSync('docs/security.md', 'utf8').split('\n## Confinement')[0]!;
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| What |'))
  .map((line): Row => {
    const cells = line.split('|').slice(1, -1);
    const [enforcedBy = '', test = ''] = cells.splice(-2);
    return { what: cells[0]!.trim(), limits: cells.join('|'), enforcedBy, test };
  });
const names = [...new Set(rows.map(({ what }) => what))];
const files = globSync('{src,scripts,containers,test}/**/*.ts');
const named = (cell: string) => [...cell.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, name]) => name!);
const numbersOf = (cells: string) => cells.replaceAll('D1', '').match(/\d[\d,.]*\d|\d/g) ?? [];

describe('the tables of docs/security.md', () => {
  it('have a source for every row, and no source without a row', () => {
    expect(Object.keys(SOURCES).sort()).toEqual([...names].sort());
  });

  it.each(names)('state the numbers of the code: %s', (what) => {
    const shown = rows.filter((row) => row.what === what).flatMap((row) => numbersOf(row.limits));
    expect(SOURCES[what]!.map(([number]) => number)).toEqual(shown);
    for (const [, file, code] of SOURCES[what]!) {
      expect([file, readFileSync(file, 'utf8').includes(code), code]).toEqual([file, true, code]);
    }
  });

  it.each(rows)('name code and tests that exist: $what', ({ enforcedBy, test }) => {
    expect(named(test)).not.toEqual([]);
    for (const name of [...named(enforcedBy), ...named(test)]) {
      const path = files.find((file) => file === name || file.endsWith(`/${name}`));
      expect([name, path !== undefined && existsSync(path)]).toEqual([name, true]);
    }
  });
});
