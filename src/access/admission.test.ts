import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LocalCounters } from '../../test/support/local-counters.ts';
import type { Caller } from '../core/caller.ts';
import type { Tool } from '../core/define-tool.ts';
import { badRequest, ToolError, tooLarge } from '../core/errors.ts';
import type { Limit } from '../core/limits.ts';
import type { Use } from '../core/usage-store.ts';
import { Admission } from './admission.ts';
import type { GeneralLimit } from './general-limits.ts';
import { RememberingCounters } from './reserve.ts';

const tool = (name: string, limits: Limit[], more: Partial<Tool> = {}): Tool =>
  ({ name, limits, access: 'anyone', ...more }) as Tool;

const PLAIN = tool('plain', []);
const BY_IP = tool('by_ip', [{ calls: 2, per: 'hour', by: 'ip' }]);
const BY_ACCOUNT = tool('by_account', [{ calls: 2, per: 'hour', by: 'account' }], {
  access: 'account',
});
const TWICE = tool('twice', [
  { calls: 10, per: 'minute', by: 'ip' },
  { calls: 100, per: 'day', by: 'ip' },
]);
const DRAFT = tool('draft', [{ calls: 15, per: 'minute', by: 'ip' }], {
  access: { anonymousPerHour: 3 },
});
const MODEL = tool('model', [], { spendsTokens: true });

const anonymous: Caller = { address: '203.0.113.7' };
const keyed = (id: string, accountId: string, address = '203.0.113.7'): Caller => ({
  address,
  accountId,
  key: { id, kind: 'persistent', requestsPerDay: 10_000, tokensPerMonth: 1000, bytesPerDay: 1 },
});
const trial: Caller = {
  address: '203.0.113.7',
  key: { id: 't', kind: 'trial', requestsPerDay: 3, tokensPerMonth: 100, bytesPerDay: 1 },
};

/** Returns a fake isolate that caches exhausted limits. */
const isolateOf = (counters: LocalCounters) =>
  new RememberingCounters(counters.of, () => counters.now);

/** Sends a request. By default, a new isolate receives it. */
function at(
  counters: LocalCounters | RememberingCounters | null,
  caller: Caller,
  limit: GeneralLimit = 'execution',
) {
  const headers: Record<string, string> = {};
  const notes: Use[] = [];
  const admission = new Admission(
    counters instanceof LocalCounters ? isolateOf(counters) : counters,
    caller,
    limit,
    (more) => Object.assign(headers, more),
    (entry) => notes.push(entry),
  );
  return { admission, headers, notes };
}

/** Returns a function that returns the lines logged at this level. */
function logOf(level: 'warn' | 'error'): () => string {
  const logged = vi.spyOn(console, level).mockImplementation(() => {});
  return () => logged.mock.calls.join('\n');
}

afterEach(() => vi.restoreAllMocks());

/** Admits `tools`, if any, and runs work that throws `error`. Returns the refusal. */
const fails = (admission: Admission, error: ToolError, tools: Tool[] = []) =>
  refusal(
    admission.run(async () => {
      if (tools.length > 0) await admission.admit(tools);
      throw error;
    }),
  );

const refusal = async (promise: Promise<unknown>): Promise<ToolError> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolError)) throw new Error(`not refused: ${String(error)}`);
  return error;
};

describe('recorded usage', () => {
  it('includes each admitted tool with its key, account and model tokens', async () => {
    const counters = new LocalCounters();
    const { admission, notes } = at(counters, keyed('k', 'a'), 'chain');
    await admission.admit([PLAIN, MODEL]);
    await admission.spend(7);
    const known = { keyId: 'k', accountId: 'a' };
    expect(notes).toEqual([]);
    expect(counters.uses).toEqual([
      { ...known, tool: 'plain' },
      { ...known, tool: 'model' },
      { ...known, tool: 'plain', calls: 0, tokens: 7 },
    ]);
  });

  it('includes refused calls with the error code', async () => {
    const counters = new LocalCounters();
    for (let call = 0; call < 3; call++) await at(counters, trial).admission.admit([PLAIN]);
    const spent = at(counters, trial);
    await refusal(spent.admission.run(() => spent.admission.admit([PLAIN])));
    expect(spent.notes).toMatchObject([
      {
        tool: 'plain',
        keyId: 't',
        accountId: null,
        refused: { status: 429, code: 'quota_exceeded' },
      },
    ]);
    const { admission, notes } = at(counters, { ...trial, key: { ...trial.key!, id: 'u' } });
    await refusal(admission.run(() => admission.admit([BY_ACCOUNT])));
    expect(notes).toMatchObject([{ tool: 'by_account', refused: { status: 401 } }]);
  });

  it('includes a malformed call once, under its general limit, since it cost one request', async () => {
    const { admission, notes } = at(new LocalCounters(), trial);
    await fails(admission, badRequest('no tool'));
    expect(notes).toMatchObject([{ tool: 'execution' }]);
    const file = at(new LocalCounters(), trial);
    await file.admission.chargeGeneral();
    await fails(file.admission, tooLarge('too large'));
    expect(file.notes).toMatchObject([{ tool: 'execution' }]);
  });

  it('is recorded when rate limits are off', async () => {
    const { admission, notes } = at(null, trial);
    await admission.admit([PLAIN]);
    expect(notes).toMatchObject([{ tool: 'plain', keyId: 't' }]);
  });
});

describe('Admission', () => {
  it('allows an anonymous address 35 executions per hour and reports when to retry', async () => {
    const counters = new LocalCounters();
    for (let call = 0; call < 35; call++) await at(counters, anonymous).admission.admit([PLAIN]);
    counters.now += 60_000;
    const { admission, headers } = at(counters, anonymous);
    const error = await refusal(admission.admit([PLAIN]));
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 3541 });
    expect(error.message).toMatch(/35 tool executions per hour.*API key.*60 per minute/);
    expect(headers['RateLimit-Policy']).toBe('"execution";q=35;w=3600');
    expect(headers['X-RateLimit-Remaining']).toBe('0');
  });

  it('says how many executions are left if a chain needs more', async () => {
    const counters = new LocalCounters();
    for (let call = 0; call < 33; call++) await at(counters, anonymous).admission.admit([PLAIN]);
    const { admission, headers } = at(counters, anonymous, 'chain');
    const error = await refusal(admission.admit([PLAIN, PLAIN, PLAIN]));
    expect(error).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(error.message).toContain('needs 3 tool executions, but you have only 2 of 35 per hour');
    expect(headers['X-RateLimit-Remaining']).toBe('2');
  });

  it('counts API key calls by key, not by address', async () => {
    const counters = new LocalCounters();
    for (let call = 0; call < 60; call++)
      await at(counters, keyed('k', 'a', `10.0.0.${call}`)).admission.admit([PLAIN]);
    await refusal(at(counters, keyed('k', 'a', '10.1.1.1')).admission.admit([PLAIN]));
    await at(counters, keyed('other', 'a')).admission.admit([PLAIN]);
  });

  it('counts signed-in calls by account', async () => {
    const counters = new LocalCounters();
    const session = (address: string): Caller => ({ address, accountId: 'a' });
    for (let call = 0; call < 60; call++)
      await at(counters, session(`10.0.0.${call}`)).admission.admit([PLAIN]);
    await refusal(at(counters, session('10.1.1.1')).admission.admit([PLAIN]));
  });

  it('counts per-address tool limits by IP for every caller, and IPv6 by /64', async () => {
    const counters = new LocalCounters();
    await at(counters, { address: '2001:db8:1:2::1' }).admission.admit([BY_IP]);
    await at(counters, keyed('k', 'a', '2001:db8:1:2:ffff::9')).admission.admit([BY_IP]);
    await refusal(at(counters, { address: '2001:db8:1:2:8::' }).admission.admit([BY_IP]));
    await at(counters, { address: '2001:db8:1:3::1' }).admission.admit([BY_IP]);
  });

  it('reports the policy closest to its limit', async () => {
    const counters = new LocalCounters();
    const { admission, headers } = at(counters, anonymous);
    await admission.admit([BY_IP]);
    expect(headers.RateLimit).toBe('"by_ip";r=1;t=3600');
    const two = at(counters, anonymous);
    await two.admission.admit([TWICE]);
    expect(two.headers['RateLimit-Policy']).toBe('"twice-minute";q=10;w=60');
  });

  it('reports the policy closest to its limit if the general limit is charged before the tool', async () => {
    const counters = new LocalCounters();
    for (const [tool, closest] of [
      [BY_IP, '"by_ip";r=1;t=3600'],
      [TWICE, '"twice-minute";r=9;t=60'],
    ] as const) {
      const { admission, headers } = at(counters, anonymous);
      await admission.chargeGeneral();
      await admission.admit([tool]);
      expect(headers.RateLimit).toBe(closest);
    }
    await at(counters, anonymous).admission.chargeGeneral(27);
    const { admission, headers } = at(counters, anonymous);
    await admission.chargeGeneral();
    await admission.admit([TWICE]);
    expect(headers.RateLimit).toBe('"execution";r=5;t=3600');
  });

  it('charges no policy when one of several refuses the call', async () => {
    const kinds: [Tool, Caller][] = [
      [BY_IP, anonymous],
      [BY_IP, keyed('k1', 'a1')],
      [BY_IP, keyed('k2', 'a1')],
      [BY_ACCOUNT, keyed('k1', 'a1')],
      [BY_ACCOUNT, keyed('k2', 'a1')],
      [BY_ACCOUNT, keyed('k3', 'a2', '10.0.0.1')],
      [PLAIN, trial],
      [TWICE, anonymous],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(kinds.length - 1), fc.nat(30 * 60_000), fc.nat(1)), {
          maxLength: 60,
        }),
        async (calls) => {
          const counters = new LocalCounters();
          const isolates = [isolateOf(counters), isolateOf(counters)];
          for (const [index, step, isolate] of calls) {
            counters.now += step;
            const [wanted, caller] = kinds[index]!;
            const before = counters.used();
            const { admission, headers } = at(isolates[isolate]!, caller);
            const error = await admission.admit([wanted]).then(
              () => null,
              (thrown) => thrown as ToolError,
            );
            if (error) {
              expect(error.status).toBe(429);
              expect(headers['X-RateLimit-Remaining']).toBe('0');
              for (const [name, used] of Object.entries(counters.used())) {
                expect(used).toBeLessThanOrEqual(before[name] ?? 0);
              }
            }
          }
        },
      ),
    );
  });

  it('charges one general unit for a call refused before admission', async () => {
    const counters = new LocalCounters();
    await fails(at(counters, anonymous).admission, badRequest('no JSON'));
    expect(counters.used()).toEqual({ 'ip:203.0.113.7 execution': 1 });
  });

  it('charges a call that started, even if it fails', async () => {
    const counters = new LocalCounters();
    const answers = [400, 413, 415, 422, 501, 502, 503];
    for (const status of answers) {
      counters.now += 3_600_001;
      const error = new ToolError('tool_failed', 'no', { status });
      await fails(at(counters, anonymous).admission, error, [BY_IP]);
      await at(counters, anonymous).admission.admit([BY_IP]);
      expect((await refusal(at(counters, anonymous).admission.admit([BY_IP]))).status).toBe(429);
    }
  });

  it('refuses a caller known to be over the limit before reading the body', async () => {
    for (const limit of ['execution', 'chain', 'mcp', 'search'] as const) {
      const counters = new LocalCounters();
      const isolate = isolateOf(counters);
      const fresh = at(isolate, anonymous, limit);
      await fresh.admission.refuseIfExhausted();
      expect(counters.requested).toBe(0);
      while (
        (await at(isolate, anonymous, limit).admission.chargeGeneral().catch(String)) === undefined
      );
      const { requested } = counters;
      for (let call = 0; call < 20; call++) {
        const { admission, headers } = at(isolate, anonymous, limit);
        expect(await refusal(admission.run(() => admission.refuseIfExhausted()))).toMatchObject({
          status: 429,
        });
        expect(headers['X-RateLimit-Remaining']).toBe('0');
      }
      expect(counters.requested).toBe(requested);
    }
  });

  it('charges a large body before reading it, even if the tool then refuses the call', async () => {
    const counters = new LocalCounters();
    const isolate = isolateOf(counters);
    for (let call = 0; call < 2; call++) await at(isolate, anonymous).admission.admit([BY_IP]);
    for (const [length, cost] of [
      ['65536', 0],
      ['65537', 1],
      [null, 1],
    ] as const) {
      const { admission } = at(isolate, anonymous);
      const before = counters.used()['ip:203.0.113.7 execution']!;
      const headers: HeadersInit = length === null ? {} : { 'Content-Length': length };
      await admission.beforeBody(new Request('http://localhost', { headers }));
      await refusal(admission.admit([BY_IP]));
      expect(counters.used()['ip:203.0.113.7 execution']! - before).toBe(cost);
    }
  });

  it('queries the counters again before reading the body once its cached refusal is stale', async () => {
    const counters = new LocalCounters();
    const isolate = isolateOf(counters);
    for (let call = 0; call < 36; call++) {
      await at(isolate, anonymous)
        .admission.admit([PLAIN])
        .catch(() => {});
    }
    const { requested } = counters;
    counters.now += 30_000;
    await refusal(at(isolate, anonymous).admission.refuseIfExhausted());
    await refusal(at(isolate, anonymous).admission.refuseIfExhausted());
    expect(counters.requested).toBe(requested + 1);
    counters.now += 3_600_000;
    const { admission } = at(isolate, anonymous);
    await admission.refuseIfExhausted();
    await admission.admit([PLAIN]);
    expect(counters.used()).toEqual({ 'ip:203.0.113.7 execution': 1 });
  });

  it('queries the counters once per ordinary call and never for a tool known to be over its limit', async () => {
    const counters = new LocalCounters();
    const isolate = isolateOf(counters);
    for (let call = 0; call < 2; call++) {
      const { admission } = at(isolate, anonymous);
      await admission.refuseIfExhausted();
      await admission.admit([BY_IP]);
    }
    expect(counters.requested).toBe(2);
    for (let call = 0; call < 5; call++)
      await refusal(at(isolate, anonymous).admission.admit([BY_IP]));
    expect(counters.requested).toBe(3);
    expect(counters.used()['ip:203.0.113.7 execution']).toBe(2);
  });

  it('charges one general unit when admission started before the body was read', async () => {
    const counters = new LocalCounters();
    await at(counters, anonymous).admission.admit([BY_IP]);
    await at(counters, anonymous).admission.admit([BY_IP]);
    const { admission } = at(counters, anonymous);
    await admission.chargeGeneral();
    await refusal(admission.admit([BY_IP]));
    expect(counters.used()).toEqual({ 'ip:203.0.113.7 execution': 3, 'ip:203.0.113.7 by_ip': 2 });
  });

  it('returns 401 to anonymous and trial calls of account-only tools and charges one unit', async () => {
    const counters = new LocalCounters();
    for (const caller of [anonymous, trial]) {
      const { admission } = at(counters, caller);
      const error = await refusal(admission.run(() => admission.admit([BY_ACCOUNT])));
      expect(error).toMatchObject({ code: 'invalid_key', status: 401 });
      expect(error.message).toContain('/developers');
    }
    expect(counters.used()).toEqual({
      'ip:203.0.113.7 execution': 1,
      'key:t execution': 1,
      'key:t requests': 1,
    });
  });

  it('returns 401 to anonymous and trial callers over the hourly limit', async () => {
    const counters = new LocalCounters();
    for (const caller of [anonymous, trial, anonymous])
      await at(counters, caller).admission.admit([DRAFT]);
    expect(await refusal(at(counters, trial).admission.admit([DRAFT]))).toMatchObject({
      status: 401,
      code: 'invalid_key',
    });
    await at(counters, keyed('k', 'a')).admission.admit([DRAFT]);
  });

  it('returns quota_exceeded once daily requests or monthly tokens run out', async () => {
    const counters = new LocalCounters();
    for (let call = 0; call < 3; call++) await at(counters, trial).admission.admit([PLAIN]);
    const error = await refusal(at(counters, trial).admission.admit([PLAIN]));
    expect(error).toMatchObject({ code: 'quota_exceeded', status: 429, retryAfter: 12 * 3600 });
    const caller = keyed('k', 'a');
    const { admission } = at(counters, caller);
    await admission.admit([MODEL]);
    await admission.spend(1500);
    expect(await refusal(at(counters, caller).admission.admit([MODEL]))).toMatchObject({
      code: 'quota_exceeded',
    });
    await at(counters, caller).admission.admit([PLAIN]);
    // `admit` does not check the token quota if `spendsTokens` is a function, because the function needs the
    // parameters.
    await at(counters, caller).admission.admit([
      tool('sometimes', [], { spendsTokens: () => true }),
    ]);
  });

  it('reports the remaining quota without charging or recording anything', async () => {
    const counters = new LocalCounters();
    for (let call = 0; call < 3; call++) await at(counters, trial).admission.admit([PLAIN]);
    const used = counters.used();
    const { admission, notes, headers } = at(counters, trial, 'catalogue');
    await admission.reportLimits();
    expect(headers.RateLimit).toMatch(/^"requests";r=0/);
    expect([notes, counters.used()]).toEqual([[], used]);
    counters.down = true;
    const logged = logOf('warn');
    await at(counters, trial).admission.reportLimits();
    expect(logged()).toContain('out of reach');
  });

  it('checks the token quota again before a later tool once the reserved tokens are charged', async () => {
    const counters = new LocalCounters();
    const { admission, notes } = at(counters, keyed('k', 'a'), 'chain');
    await admission.admit([MODEL, MODEL]);
    await admission.requireTokens('model');
    // The charge is not awaited, as in production.
    void admission.spend(1500);
    expect(await refusal(admission.requireTokens('model'))).toMatchObject({
      code: 'quota_exceeded',
    });
    expect(notes.at(-1)).toMatchObject({ tool: 'model', refused: { code: 'quota_exceeded' } });
    counters.down = true;
    const other = at(counters, keyed('k', 'a'), 'chain');
    expect(await refusal(other.admission.requireTokens('model'))).toMatchObject({ status: 503 });
    await at(counters, anonymous).admission.requireTokens('model');
  });

  it('counts a chain once, and each step as an execution and a call of its tool', async () => {
    const counters = new LocalCounters();
    await at(counters, anonymous, 'chain').admission.admit([PLAIN, BY_IP, BY_IP]);
    expect(counters.used()).toEqual({
      'ip:203.0.113.7 chain': 1,
      'ip:203.0.113.7 execution': 3,
      'ip:203.0.113.7 by_ip': 2,
    });
    await refusal(at(counters, anonymous, 'chain').admission.admit([BY_IP]));
  });

  it('counts an MCP request once, and each call in it by its tool', async () => {
    const counters = new LocalCounters();
    const { admission } = at(counters, anonymous, 'mcp');
    await admission.chargeGeneral(3);
    await admission.admit([BY_IP]);
    await admission.admit([BY_IP]);
    await refusal(admission.admit([BY_IP]));
    expect(counters.used()).toEqual({ 'ip:203.0.113.7 mcp': 3, 'ip:203.0.113.7 by_ip': 2 });
  });

  it('neither counts nor reports when limits are off, but still protects account-only tools', async () => {
    const { admission, headers } = at(null, anonymous);
    for (let call = 0; call < 100; call++) await admission.admit([BY_IP]);
    expect(headers).toEqual({});
    await refusal(admission.admit([BY_ACCOUNT]));
  });

  it('allows calls while the counters are down, except for tools with their own limits', async () => {
    const counters = new LocalCounters();
    counters.down = true;
    const logged = logOf('error');
    const { admission, headers } = at(counters, anonymous);
    await admission.admit([PLAIN]);
    expect(headers).toEqual({});
    expect(logged()).toContain('out of reach');
    expect(await refusal(at(counters, anonymous).admission.admit([BY_IP]))).toMatchObject({
      code: 'internal',
      status: 503,
      retryAfter: 5,
    });
  });
});
