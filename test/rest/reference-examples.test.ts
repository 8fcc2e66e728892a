/** Runs the curl command that the API reference shows for each endpoint, and compares what comes of it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ENDPOINT_EXAMPLES } from '../../scripts/reference/endpoint-examples.ts';
import { curlOf } from '../../scripts/reference/pages.ts';
import { isLike, isTextLike } from '../content/like.ts';
import { accountKey } from '../support/account-key.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { baseUrl, body, stateDir } from '../support/service.ts';

/** A guard against hangs. */
const PATIENCE = { timeout: PATIENCE_MS, interval: 100 };
const run = promisify(execFile);
const EXECUTE = `${baseUrl}/api/v1/tools/execute`;

/** What the words in capitals stand for. */
async function placeholders(): Promise<Record<string, string>> {
  const job = await body(
    await fetch(EXECUTE, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: JSON.stringify({ tool: 'encode_base64', parameters: { text: 'Hello, world!' } }),
    }),
  );
  const report = async () => body(await fetch(`${baseUrl}/api/v1/jobs/${job.id}`));
  const isDone = async () => expect(await report()).toMatchObject({ status: 'succeeded' });
  await vi.waitFor(isDone, PATIENCE);
  const form = new FormData();
  form.set('tool', 'upload_file');
  form.set('file', new File([String(ENDPOINT_EXAMPLES.getFile!.result)], 'notes.txt'));
  const file = await body(await fetch(EXECUTE, { method: 'POST', body: form }));
  return {
    JOB_ID: String(job.id),
    FILE_ID: new URL(String(file.url)).pathname.split('/')[2]!,
    DELETE_TOKEN: String(file.deleteToken),
    YOUR_KEY: await accountKey(stateDir),
    '{base_url}': baseUrl,
  };
}

describe('the example of', () => {
  let words: Record<string, string>;
  beforeAll(async () => {
    words = await placeholders();
  });

  it.each(Object.keys(ENDPOINT_EXAMPLES))('%s is so', async (id) => {
    let command = curlOf(id);
    for (const [word, value] of Object.entries(words)) command = command.replaceAll(word, value);
    const { stdout } = await run('bash', ['-c', `${command} -w '%{http_code}'`]);
    const [, text, status] = /^([\s\S]*)(\d{3})$/.exec(stdout)!;
    expect(status, text).toMatch(/^2/);
    const { result } = ENDPOINT_EXAMPLES[id]!;
    if (result === undefined) expect(text).toBe('');
    else if (typeof result === 'string') expect(isTextLike(result, text!), text).toBe(true);
    else expect(isLike(result, JSON.parse(text!)), text).toBe(true);
  });
});
