import { zipSync } from 'fflate';
import { expect, it, vi } from 'vitest';
import { unavailable } from '../core/errors.ts';
import { memoryFile } from '../core/input-file.ts';
import type { StoragePort } from '../core/ports.ts';
import { storeEntries } from './zip-entries.ts';

it('an error while entries are stored is not replaced by an error while they are removed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const zip = zipSync({ 'a.pdf': new Uint8Array(1), 'b.pdf': new Uint8Array(1) });
  let count = 0;
  const storage = {
    openById: async () => memoryFile('a.zip', zip, 'application/zip'),
    async store() {
      count += 1;
      if (count > 1) throw unavailable('The disk is full.', 60);
      return { id: 'first' };
    },
    remove: vi.fn(() => Promise.reject(unavailable('Storage is not responding.', 5))),
  };
  const storing = storeEntries('zip', [], storage as unknown as StoragePort, { address: '::1' });
  await expect(storing).rejects.toThrow('The disk is full.');
  expect(storage.remove).toHaveBeenCalledWith(['first']);
});
