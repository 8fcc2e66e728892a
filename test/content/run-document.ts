/** Runs the examples in a document in order, and reports results that differ (docs/content.md). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS, REPEATS } from '../support/patience.ts';
import { hasShapeOf, isLike, isTextLike } from './like.ts';
import type { CodeBlock, WrittenDocument } from './written-document.ts';

export interface Target {
  /** The address of the service. It replaces `{base_url}` in code, and is `$TOOLS_URL` in commands. */
  baseUrl: string;
  /** The API key of an account, which is `$KEY` in commands. */
  key: string;
  /** The working directory of the commands, which contains the sample files. */
  folder: string;
}

/** Runs the blocks in order. Returns findings that name the line of the block. */
export async function runDocument({ blocks }: WrittenDocument, target: Target): Promise<string[]> {
  const findings: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const shown = blocks[index + 1];
    const code = block.code.replaceAll('{base_url}', target.baseUrl);
    const finding = await runBlock({ ...block, code }, shown, target);
    if (finding) findings.push(`line ${block.line}: ${finding}`);
  }
  return findings;
}

async function runBlock(
  block: CodeBlock,
  shown: CodeBlock | undefined,
  target: Target,
): Promise<string | null> {
  if (block.language === 'json' && block.words[0] === 'call') return runCall(block, shown, target);
  if (block.language !== 'sh' || block.words[0] === 'not-run') return null;
  const { code, stdout, stderr } = await unlessBusy(
    () => bash(block.code, target),
    (result) => result.stderr.includes('[HTTP 503]'),
  );
  if (code !== 0) return `the commands ended with ${code}: ${stderr}${stdout}`;
  return shown?.words[0] === 'output' ? compareOutput(shown, stdout) : null;
}

function compareOutput(shown: CodeBlock, stdout: string): string | null {
  const alike =
    shown.language === 'json'
      ? isLike(JSON.parse(shown.code), parsed(stdout))
      : isTextLike(shown.code, stdout);
  return alike ? null : `the output was\n${stdout}`;
}

async function runCall(
  { code, words }: CodeBlock,
  shown: CodeBlock | undefined,
  { baseUrl, key }: Target,
): Promise<string | null> {
  const [kind, status = '200'] = shown?.words ?? [];
  const call = () =>
    fetch(`${baseUrl}/api/v1/tools/execute`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(words.includes('with-key') && { Authorization: `Bearer ${key}` }),
      },
      body: code,
    });
  const response = await unlessBusy(call, (result) => result.status === 503 && status !== '503');
  const text = await response.text();
  const answer = `${response.status} ${text}`;
  if (!shown || !kind) return `no block shows the response to the call: ${answer}`;
  if (String(response.status) !== status) return `the answer was ${answer}`;
  const value = parsed(text);
  const expected: unknown = JSON.parse(shown.code);
  const alike =
    kind === 'shape'
      ? hasShapeOf(expected, value)
      : // Every error contains the ID of its request.
        isLike(kind === 'error' ? { requestId: '…', ...(expected as object) } : expected, value);
  return alike ? null : `the answer was ${answer}`;
}

/** Repeats a call that gets a 503, because other tests keep the media worker busy. */
async function unlessBusy<T>(run: () => Promise<T>, isBusy: (result: T) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const result = await run();
    if (attempt === REPEATS.most || !isBusy(result)) return result;
    await sleep(REPEATS.seconds * 1000);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bash(
  commands: string,
  { baseUrl, key, folder }: Target,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    env: {
      ...process.env,
      TOOLS_URL: baseUrl,
      KEY: key,
      PATH: `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}`,
      // The .curlrc in this directory makes curl print each status to stderr.
      CURL_HOME: import.meta.dirname,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  const read = async (stream: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const output = Promise.all([read(child.stdout), read(child.stderr)]);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', async (code) => {
      const [stdout, stderr] = await output;
      resolve({ code, stdout, stderr });
    });
  });
}
