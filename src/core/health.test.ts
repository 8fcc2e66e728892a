import { expect, it, vi } from 'vitest';
import { checkParts } from './health.ts';

it('reports what a part throws to the service, and not in its state', async () => {
  const broken = new Error('connect to 10.0.0.1');
  const parts = [
    { name: 'database', check: () => Promise.reject(broken) },
    { name: 'files', check: async () => ({ state: 'ok' as const }) },
  ];
  const onError = vi.fn();
  const states = await checkParts(parts, onError);
  expect(states).toMatchObject([
    { name: 'database', state: 'down', detail: 'the check failed: see the log' },
    { name: 'files', state: 'ok' },
  ]);
  expect(onError.mock.calls).toEqual([['database', broken]]);
});
