import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { WorkLimit } from '../../work-limit.ts';
import { pageByPage } from './page-texts.ts';
import { emptyFolder, folder, put } from './test-files.ts';

afterAll(() => {
  vi.unstubAllEnvs();
  emptyFolder();
});

it('pageByPage limits the bytes of all pages, of which a Chinese character needs three', async () => {
  const context = {
    directory: folder,
    signal: new AbortController().signal,
    limit: new WorkLimit(1),
  };
  const text = put('page.txt', Buffer.from('漢'.repeat(3_000_000)));
  const fake = put('pdftotext', `#!/bin/sh\nfor out; do :; done\ncp ${text} "$out"\n`);
  chmodSync(fake, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  const path = join(folder, 'chinese.pdf');
  expect(await pageByPage(path, 1, context)).toHaveLength(1);
  await expect(pageByPage(path, 2, context)).rejects.toThrow('more than 16 MB of text');
});
