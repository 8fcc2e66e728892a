/**
 * Tests the guarantees of the service's image: its content, its confinement, and the features that work with a plain
 * `docker run`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baseUrl, body, container as shared } from '../support/service.ts';
import { docker, logOf, runInside, SERVICE_IMAGE } from '../support/service-image.ts';
import { makeSlowPdf } from '../support/slow-pdf.ts';

const MAX_BYTES = 1.6e9;
const container = shared!;

/**
 * Starts a container of the image with its default settings. The container and its volume are deleted when the test
 * ends.
 */
function startByDefault(volume: string, ...options: string[]): { name: string; url: string } {
  const name = `${volume}-service`;
  docker(
    ...['run', '--detach', '--read-only', '--name', name, '--volume', `${volume}:/data`],
    ...[...options, '--publish', '127.0.0.1::8787', SERVICE_IMAGE],
  );
  onTestFinished(() => {
    docker('rm', '--force', name);
    docker('volume', 'rm', volume);
  });
  return { name, url: urlOf(name) };
}

/** Returns the container's address on this machine. The address changes when the container restarts. */
const urlOf = (name: string) => `http://${docker('port', name, '8787').split('\n')[0]}`;

const isHealthy = (name: string) =>
  expect
    .poll(() => runInside(name, 'node', 'containers/service/health.mjs'))
    .toMatchObject({ code: 0 });

/** Returns the status of a request with this `Host` header, which fetch cannot send. */
const statusFor = (url: string, host: string) =>
  new Promise((resolve, reject) => {
    request(`${url}/health`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });

describe('the image', () => {
  it('is at most 1.6 GB', () => {
    const bytes = Number(docker('image', 'inspect', '--format', '{{.Size}}', SERVICE_IMAGE));
    console.log(`${SERVICE_IMAGE} has ${(bytes / 1e9).toFixed(2)} GB`);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('contains no npm package manager, compiler, test or test package', async () => {
    const programs = [
      'npm',
      'npx',
      'corepack',
      'yarn',
      'gcc',
      'cc',
      'g++',
      'make',
      'tsc',
      'esbuild',
    ];
    const found = await runInside(container, 'sh', '-c', `command -v ${programs.join(' ')}; true`);
    expect(found.output).toBe('');
    const tests = await runInside(
      container,
      ...['find', '.', '-path', './node_modules', '-prune', '-o', '-name', '*.test.ts', '-print'],
    );
    expect(tests.output).toBe('');
    const list = 'cd node_modules && ls -d * @*/*';
    const packages = (await runInside(container, 'sh', '-c', list)).output.split('\n');
    expect(packages).toContain('miniflare');
    const forBuilds =
      /^(?:vite|vitest|wrangler|esbuild|typescript|playwright-core|@types|@biomejs)$/;
    expect(packages.filter((name) => forBuilds.test(name))).toEqual([]);
  });

  it('runs as an unprivileged user under tini', async () => {
    expect((await runInside(container, 'cat', '/proc/1/comm')).output).toBe('tini');
    expect((await runInside(container, 'id', '-u')).output).toBe('10001');
    const { output } = await runInside(container, 'grep', 'CapEff', '/proc/1/status');
    expect(output).toMatch(/\s0+$/);
  });

  it('writes only to /data', async () => {
    expect((await runInside(container, 'touch', '/service/file')).output).toContain('Read-only');
    expect((await runInside(container, 'touch', '/data/file')).code).toBe(0);
  });

  it('passes its own health check, and logs in one line how the browser is confined', async () => {
    await isHealthy(container);
    const { parts } = await body(await fetch(`${baseUrl}/health?deep=1`));
    const down = parts.filter(({ state }: { state: string }) => state === 'down');
    expect(down).toEqual([]);
    const said = logOf(container).filter((line) => line.startsWith('Confinement of the browser: '));
    expect(said).toEqual([expect.stringContaining('sandbox')]);
  });
});

/** If this setting is 1, Ubuntu's AppArmor refuses user namespaces regardless of the seccomp profile. */
const RESTRICTION = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
const allowsNamespaces = !existsSync(RESTRICTION) || /0/.test(readFileSync(RESTRICTION, 'utf8'));

describe('the seccomp profile', () => {
  it.runIf(allowsNamespaces)(
    'allows the confinement of every part, and its programs work',
    async () => {
      const { name, url } = startByDefault(
        'tools-image-seccomp',
        ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges:true'],
        ...['--security-opt', 'seccomp=containers/service/seccomp.json'],
      );
      await isHealthy(name);
      const confinement = logOf(name).filter((line) => line.startsWith('Confinement of'));
      expect(confinement.length).toBe(3);
      expect(confinement.filter((line) => line.includes('Off:'))).toEqual([]);
      const form = new FormData();
      for (const part of ['one.pdf', 'two.pdf']) {
        form.append('files', new File([makeSlowPdf(50)], part, { type: 'application/pdf' }));
      }
      const merged = await fetch(`${url}/api/v1/tools/merge_pdf`, { method: 'POST', body: form });
      expect(merged.status).toBe(200);
      const mount =
        'unshare --user --map-root-user --mount --propagation unchanged mount -t tmpfs x /tmp';
      expect((await runInside(name, 'sh', '-c', mount)).output).toMatch(/not permitted|denied/);
    },
  );
});

describe('the commands for operators', () => {
  it.each(['key.ts --list', 'admin.ts newest', 'backup.ts /data/tools.tar'])(
    'run beside the service: scripts/%s',
    async (command) => {
      const words = `scripts/${command}`.split(' ');
      expect(await runInside(container, 'node', ...words)).toMatchObject({ code: 0 });
    },
  );
});

describe('docker run without settings', () => {
  it('serves callers on this machine, and keeps its data after a restart', async () => {
    const { name, url } = startByDefault('tools-image-default');
    await isHealthy(name);
    expect(await statusFor(url, 'localhost:8787')).toBe(200);
    expect(await statusFor(url, 'tools.example.com')).toBe(421);
    const form = new FormData();
    form.append('tool', 'upload_file');
    form.append('file', new File(['kept over a restart'], 'note.txt', { type: 'text/plain' }));
    const uploaded = await fetch(`${url}/api/v1/tools/execute`, { method: 'POST', body: form });
    const { origin, pathname } = new URL((await body(uploaded)).url);
    expect(origin).toBe('http://localhost:8787');
    // Docker kills the service after this time, which would change its exit code.
    docker('stop', '--time', '120', name);
    expect(docker('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0');
    docker('start', name);
    await isHealthy(name);
    expect(await (await fetch(urlOf(name) + pathname)).text()).toBe('kept over a restart');
  });

  it('refuses a volume that another service owns', async () => {
    const volume = 'tools-image-owned';
    const { name } = startByDefault(volume);
    await isHealthy(name);
    const second = `${volume}-second`;
    docker('run', '--detach', '--name', second, '--volume', `${volume}:/data`, SERVICE_IMAGE);
    onTestFinished(() => void docker('rm', '--force', second));
    expect(docker('wait', second)).toBe('1');
    expect(logOf(second).join()).toContain('in use by another service');
    await isHealthy(name);
  });
});
