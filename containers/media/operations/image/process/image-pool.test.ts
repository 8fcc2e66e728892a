import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../../../../test/support/patience.ts';
import { WorkLimit } from '../../../work-limit.ts';
import { emptyFolder, folder, scene, svg } from '../test-images.ts';
import { images } from './image-pool.ts';

afterAll(emptyFolder);

const OPTIONS = { quality: 0.9, format: 'webp', keepAspectRatio: false, grayscale: false } as const;

/** Returns the IDs of the image processes that this test process started. */
const processes = () =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*image-process\.ts.*)$/.exec(line))
    .filter((match) => match !== null && Number(match[2]) === process.pid)
    .map((match) => Number(match?.[1]));

/** Returns the CPU time in hundredths of a second (`utime` in /proc/PID/stat, see proc(5)). */
const ticksOf = (pid: number | undefined) =>
  Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[11]);

function task(name: string, content: Buffer) {
  const directory = mkdtempSync(join(folder, 'task-'));
  const path = join(directory, name);
  writeFileSync(path, content);
  const files = [{ name, path, size: content.length }];
  return { operation: 'compress_image', params: OPTIONS, files, directory };
}

class ShortLimit extends WorkLimit {
  override within() {
    return { cpuSeconds: 99, timeLimitMs: 700 };
  }
}
const SHORT = new ShortLimit(0);
const never = new AbortController().signal;
const image = async () => task('good.png', await scene(20, 20).png().toBuffer());

/** Makes an SVG with so many blur filters that librsvg would need minutes to draw it. */
const endless = () => {
  const blurs = '<feGaussianBlur stdDeviation="90"/>'.repeat(60);
  const content = `<filter id="f" x="-1" y="-1" width="3" height="3">${blurs}</filter>`;
  const rectangles = '<rect width="800" height="800" filter="url(#f)"/>'.repeat(40);
  return task('endless.svg', svg('width="800" height="800"', content + rectangles));
};

describe('an image process', () => {
  it('is reused, and gets none of our environment', async () => {
    process.env.MEDIA_SECRET = 'a-secret';
    images.warm();
    // A process that has just started still has the arguments of its parent.
    await expect.poll(processes, { timeout: PATIENCE_MS }).toHaveLength(1);
    const [first] = processes();
    for (let round = 0; round < 3; round += 1) {
      await images.run('work', await image(), never);
      expect(processes()).toEqual([first]);
    }
    expect(readFileSync(`/proc/${first}/environ`, 'latin1')).not.toContain('a-secret');
    expect(readFileSync(`/proc/${first}/limits`, 'latin1')).toMatch(/Max data size +7516192768/);
  });

  it('is killed after its time limit, and the next task succeeds', async () => {
    const started = performance.now();
    await expect(images.run('work', endless(), never, SHORT)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('limit of 0.7 seconds'),
    });
    expect(performance.now() - started).toBeLessThan(60_000);
    await images.run('work', await image(), never);
    expect(processes().length).toBe(1);
  });

  it('is killed when the caller disconnects', async () => {
    const gone = new AbortController();
    const running = images.run('work', endless(), gone.signal);
    setTimeout(() => gone.abort(new Error('gone')), 300);
    await expect(running).rejects.toThrow('gone');
    await expect.poll(processes).toEqual([]);
  });

  it('reports its image when it crashes, and the next task succeeds', async () => {
    const running = images.run('work', endless(), never);
    running.catch(() => undefined);
    await expect.poll(() => processes().length).toBe(1);
    // Starting a process uses less CPU time than this, so the process is already working on the image.
    await expect.poll(() => ticksOf(processes()[0])).toBeGreaterThan(150);
    process.kill(processes()[0] as number, 'SIGSEGV');
    await expect(running).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('endless.svg'),
    });
    await images.run('work', await image(), never);
  });

  it('is replaced if it is killed while idle', async () => {
    await images.run('work', await image(), never);
    for (const pid of processes()) process.kill(pid, 'SIGKILL');
    await expect.poll(processes).toEqual([]);
    await images.run('work', await image(), never);
  });

  it('is replaced if it is killed as it receives a task', async () => {
    const given = await image();
    await images.run('work', given, never);
    const [waiting] = processes();
    process.kill(waiting as number, 'SIGKILL');
    await images.run('work', given, never);
    expect(processes()).not.toContain(waiting);
  });

  it('processes one large image at a time, even after a crash or a disconnect', async () => {
    const plain = { width: 6000, height: 5000, channels: 3, background: 'teal' } as const;
    const content = await sharp({ create: plain }).jpeg().toBuffer();
    const gone = new AbortController();
    const all = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) =>
      images.run('work', task(name, content), name === 'b.jpg' ? gone.signal : never),
    );
    setTimeout(() => gone.abort(new Error('gone')), 300);
    const results = await Promise.allSettled(all);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await images.run('work', task('d.jpg', content), never);
  });

  it('reads no file by its path, and uses only the allowed loaders', async () => {
    const vips = join(folder, 'a.v');
    await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).toFile(
      `${vips}.png`,
    );
    for (const content of [
      `${vips}.png`,
      '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n',
      'P3 1 1 255 0 0 0',
    ]) {
      const given = task('named.png', Buffer.from(content));
      await expect(images.run('work', given, never)).rejects.toMatchObject({ status: 400 });
      expect(readdirSync(given.directory)).toEqual(['named.png']);
    }
  });
});
