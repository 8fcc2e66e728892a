import { describe, expect, it, vi } from 'vitest';
import { CaptureSlots } from './capture-slots.ts';
import { DiskSpace } from './disk-space.ts';
import { guardOf } from './guard.ts';

const CALLER = { address: '192.0.2.1' };

/** Returns slots whose pool fails when a slot is released. */
function slotsOf(step: 'launch' | 'refused') {
  const pool = {
    enter: async () => ({ ticket: 1, step }),
    leave: () => Promise.reject(new Error('the pool was reset')),
  };
  const namespace = { getByName: () => pool } as never;
  return new CaptureSlots(namespace, [], guardOf('browser pool', new DiskSpace(undefined)));
}

const isDrawn = async () => false;

describe('a slot that cannot be released', () => {
  it('is logged, and replaces neither a capture nor the reason of its failure', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { signal } = new AbortController();
    const slot = await slotsOf('launch').take(CALLER, signal, isDrawn);
    await slot!.leave();
    expect(logged.mock.calls.join()).toContain('the pool was reset');
    const refused = slotsOf('refused').take(CALLER, signal, isDrawn);
    await expect(refused).rejects.toThrow('All browsers are busy');
    const gone = AbortSignal.abort(new Error('the caller disconnected'));
    await expect(slotsOf('launch').take(CALLER, gone, isDrawn)).rejects.toThrow('disconnected');
  });
});
