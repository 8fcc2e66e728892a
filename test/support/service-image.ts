/**
 * Runs the image of the service with Docker and a read-only root file system. `SERVICE_IMAGE` is the name of the image.
 */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

export const SERVICE_IMAGE = process.env.SERVICE_IMAGE || 'tools-service';

/**
 * Runs the image in the host's network. Docker forwards signals to the service, and deletes the container and its
 * volume at the end.
 */
export function runImage(name: string, env: Record<string, string>): ChildProcess {
  const settings = Object.entries(env).flatMap((setting) => ['--env', setting.join('=')]);
  const options = ['--rm', '--read-only', '--network', 'host', '--name', name, ...settings];
  return spawn('docker', ['run', ...options, SERVICE_IMAGE], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Returns the output of a Docker command. Throws if the command fails. */
export const docker = (...args: string[]): string =>
  execFileSync('docker', args, { encoding: 'utf8' }).trim();

export function logOf(container: string): string[] {
  const { stdout, stderr } = spawnSync('docker', ['logs', container], { encoding: 'utf8' });
  return `${stdout}\n${stderr}`.split('\n');
}

const run = promisify(execFile);

/** Runs a program inside a container. Returns its exit code and output. */
export async function runInside(
  container: string,
  ...command: string[]
): Promise<{ code: number; output: string }> {
  try {
    const { stdout } = await run('docker', ['exec', container, ...command]);
    return { code: 0, output: stdout.trim() };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: `${stdout}${stderr}`.trim() };
  }
}

/** Creates an API key that belongs to an account, as the page for operators describes. */
export const keyInside = (container: string): string =>
  docker('exec', container, 'node', 'scripts/key.ts', '--account', 'Tests');
