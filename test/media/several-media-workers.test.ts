/** Tests MEDIA_URLS with three media workers. One of them is killed during a call. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../scripts/media-worker.ts';
import { startService, stopService } from '../support/global-setup.ts';

const MEDIA_SECRET = 'shared-by-all-three';
const CALLS = 18;
const folder = mkdtempSync(join(tmpdir(), 'tools-fleet-'));

interface Media {
  url: string;
  child: ChildProcess;
  isWorking(): Promise<boolean>;
}

let media: Media[];
let service: ChildProcess;
let baseUrl: string;

async function startMedia(): Promise<Media> {
  const port = await freePort();
  const child = spawn(process.execPath, ['containers/media/server.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), MEDIA_SECRET },
  });
  const url = `http://127.0.0.1:${port}`;
  const started: Media = {
    url,
    child,
    isWorking: async () => {
      const { queues } = (await (await fetch(`${url}/ready`)).json()) as {
        queues: Record<string, { running: number }>;
      };
      return Object.values(queues).some(({ running }) => running > 0);
    },
  };
  const listening = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.includes('"listening"')) resolve();
    });
  });
  await listening;
  return started;
}

beforeAll(async () => {
  media = await Promise.all([startMedia(), startMedia(), startMedia()]);
  const started = await startService({
    STATE_DIR: join(folder, 'state'),
    MEDIA_URLS: media.map(({ url }) => url).join(', '),
    MEDIA_SECRET,
  });
  service = started.child;
  baseUrl = started.baseUrl;
});
afterAll(async () => {
  await stopService(service);
  for (const { child } of media) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('calls are spread over all media workers, and each succeeds even if one worker is killed', async () => {
  const photo = await sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();
  const call = async () => {
    const form = new FormData();
    form.append('tool', 'compress_image');
    form.append('parameters', JSON.stringify({ format: 'webp' }));
    form.append('file', new File([new Uint8Array(photo)], 'photo.jpg', { type: 'image/jpeg' }));
    const response = await fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body: form });
    const answer = await response.arrayBuffer();
    return response.ok ? 'answered' : new TextDecoder().decode(answer);
  };
  const [victim, ...others] = media as [Media, Media, Media];
  const works = ({ isWorking }: Media) => expect.poll(isWorking, { interval: 5 }).toBe(true);
  const calls = Promise.all(Array.from({ length: CALLS }, call));
  const othersWork = Promise.all(others.map(works));
  await works(victim);
  victim.child.kill('SIGKILL');
  await once(victim.child, 'exit');
  expect(await calls).toEqual(Array.from({ length: CALLS }, () => 'answered'));
  await othersWork;
});

it('the health check names the media worker that does not respond', async () => {
  const { parts } = (await (await fetch(`${baseUrl}/health?deep=1`)).json()) as {
    parts: { name: string; state: string; detail?: unknown }[];
  };
  expect(parts.find(({ name }) => name === 'media')).toMatchObject({
    state: 'degraded',
    detail: [{ host: new URL(media[0]!.url).host, answers: false }],
  });
});
