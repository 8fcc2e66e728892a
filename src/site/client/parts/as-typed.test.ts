/** Tests whether the result of an automatic run is treated as one that the visitor requested. */
import { expect, it } from 'vitest';
import { asTyped } from './as-typed.ts';

it('shows a result as requested if the visitor asks for it while an earlier result is being shown', async () => {
  const shown: boolean[] = [];
  const runs = asTyped(
    async () => {},
    async (_, isRequested) => {
      shown.push(isRequested);
      if (shown.length === 1) runs.now();
    },
  );
  runs.soon();
  await expect.poll(() => shown).toEqual([false, true]);
});
