import { describe, expect, it } from 'vitest';
import { CpuLedger, readCaller } from './cpu-ledger.ts';

const A = { key: 'address a', cpuSeconds: 60 };

describe('the CPU budget of a caller', () => {
  it('is exceeded while the last minute contains more CPU time than the budget', () => {
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

  it('records whether other callers used CPU, and forgets them after a minute', () => {
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

  it('is 60 seconds for an address, 240 for an account, and none without a valid header', () => {
    expect(readCaller('address 0f')).toEqual({ key: 'address 0f', cpuSeconds: 60 });
    expect(readCaller('account 0f')).toEqual({ key: 'account 0f', cpuSeconds: 240 });
    for (const header of [undefined, '', 'address', 'other 0f']) {
      expect(readCaller(header)).toBeUndefined();
    }
  });
});
