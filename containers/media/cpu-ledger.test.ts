import { describe, expect, it } from 'vitest';
import { CpuLedger, readCaller } from './cpu-ledger.ts';

const A = { key: 'address a', cpuSeconds: 60 };

describe('the CPU time of callers', () => {
  it('is over the budget for as long as a minute holds that much of it', () => {
    let now = 0;
    const ledger = new CpuLedger(() => now);
    ledger.charge(A.key, 40);
    now = 30_000;
    ledger.charge(A.key, 19);
    expect(ledger.isOver(A)).toBe(false);
    ledger.charge(A.key, 1);
    expect(ledger.isOver(A)).toBe(true);
    now = 60_001;
    expect(ledger.spent(A.key)).toBe(20);
    expect(ledger.isOver(A)).toBe(false);
  });

  it('knows whether others have caused any, and forgets them after a minute', () => {
    let now = 0;
    const ledger = new CpuLedger(() => now);
    ledger.charge(A.key, 1);
    expect(ledger.hasOthers(A.key)).toBe(false);
    ledger.charge('address b', 1);
    now = 59_000;
    ledger.charge(A.key, 1);
    expect(ledger.hasOthers(A.key)).toBe(true);
    now = 61_000;
    expect(ledger.hasOthers(A.key)).toBe(false);
    expect(ledger.hasOthers('address b')).toBe(true);
  });

  it('is bounded by 60 seconds for an address and 240 for an account; no header, no caller', () => {
    expect(readCaller('address 0f')).toEqual({ key: 'address 0f', cpuSeconds: 60 });
    expect(readCaller('account 0f')).toEqual({ key: 'account 0f', cpuSeconds: 240 });
    for (const header of [undefined, '', 'address', 'other 0f']) {
      expect(readCaller(header)).toBeUndefined();
    }
  });
});
