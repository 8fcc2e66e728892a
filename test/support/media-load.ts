/**
 * Generates load on the media worker of a running service. Calls five of the tools that use it, and finds processes and
 * files that remain afterwards.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Call {
  tool: string;
  parameters: Record<string, unknown>;
  files: { name: string; bytes: Uint8Array<ArrayBuffer> }[];
}

/**
 * Returns one call for each of five tools that use the media worker. Their files are created with Ghostscript and
 * FFmpeg in `folder`.
 */
export function mediaCalls(folder: string): Call[] {
  mkdirSync(folder, { recursive: true });
  const made = (name: string, program: string, programArguments: (path: string) => string[]) => {
    const path = join(folder, name);
    execFileSync(program, programArguments(path));
    return { name, bytes: new Uint8Array(readFileSync(path)) };
  };
  const gs = (name: string, device: string, page: string) =>
    made(name, 'gs', (path) => [
      ...['-q', '-r150', '-sPAPERSIZE=a4', `-sDEVICE=${device}`],
      ...['-o', path, '-c', page],
    ]);
  const text = '/Helvetica 24 selectfont 72 700 moveto (A page of text) show showpage';
  const pdf = gs('pages.pdf', 'pdfwrite', `[/Title (x) /Page 1 /OUT pdfmark ${text.repeat(20)}`);
  const png = gs('page.png', 'png16m', text);
  const source = ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=640x360:d=3'];
  const video = made('film.mp4', 'ffmpeg', (path) => [...source, path]);
  return [
    { tool: 'merge_pdf', parameters: {}, files: [pdf, pdf] },
    { tool: 'split_pdf', parameters: { ranges: ['1-3', '4-9'] }, files: [pdf] },
    { tool: 'compress_image', parameters: { format: 'avif' }, files: [png] },
    { tool: 'extract_text_ocr', parameters: {}, files: [png] },
    { tool: 'compress_video', parameters: { preset: 'fast', scale: '-1:360' }, files: [video] },
  ];
}

export function send(baseUrl: string, call: Call, signal?: AbortSignal): Promise<Response> {
  const body = formOf(call);
  return fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body, signal });
}

export function formOf(call: Call): FormData {
  const form = new FormData();
  form.append('tool', call.tool);
  form.append('parameters', JSON.stringify(call.parameters));
  for (const { name, bytes } of call.files) form.append('files', new Blob([bytes]), name);
  return form;
}

interface Process {
  pid: number;
  parent: number;
  command: string;
  residentBytes: number;
}

function processes(): Process[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [, pid, parent, resident, command = ''] = /^ *(\d+) +(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    return pid
      ? [
          {
            pid: Number(pid),
            parent: Number(parent),
            residentBytes: Number(resident) * 1024,
            command,
          },
        ]
      : [];
  });
}

/** Returns the media worker of this service, or undefined if it is not running. */
export function mediaWorkerOf(servicePid: number): Process | undefined {
  return processes().find(
    ({ parent, command }) =>
      parent === servicePid && command.includes('containers/media/server.ts'),
  );
}

function below(pid: number, all = processes()): Process[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...below(child.pid, all)]);
}

/**
 * Matches processes that also run while the worker is idle: the process pools, and the process that holds the
 * namespaces.
 */
const STAYS = /(?:image|document)-process\.ts|^cat$/;

/** Returns the processes that are currently working for this media worker. */
export const programsOf = (workerPid: number): Process[] =>
  below(workerPid).filter(({ command }) => !STAYS.test(command));

/** Returns the resident memory of a media worker and its descendants. */
function residentBytesOf(workerPid: number): number {
  const own = processes().filter(({ pid }) => pid === workerPid);
  return [...own, ...below(workerPid)].reduce((sum, { residentBytes }) => sum + residentBytes, 0);
}

/** Returns the directories for running requests in a service's work directory. */
export const requestsLeft = (workDirectory: string): string[] =>
  readdirSync(workDirectory).flatMap((entry) => readdirSync(join(workDirectory, entry)));

export interface Load {
  served: number;
  /** The number of 503 responses with Retry-After. */
  busy: number;
  /** The tool and the response body of each other error. */
  failures: string[];
  mostResidentBytes: number;
}

/** The number of calls that each caller makes, or the time after which it makes no further call. */
export type Extent = { calls: number } | { milliseconds: number };

/** Runs `callers` concurrent loops. Each loop makes the calls sequentially. */
export async function callAlternately(
  baseUrl: string,
  workerPid: number,
  calls: readonly Call[],
  callers: number,
  extent: Extent,
): Promise<Load> {
  const start = Date.now();
  const goesOn = (made: number) =>
    'calls' in extent ? made < extent.calls : Date.now() - start < extent.milliseconds;
  const load: Load = { served: 0, busy: 0, failures: [], mostResidentBytes: 0 };
  const caller = async (number: number) => {
    for (let made = 0; goesOn(made); made += 1) {
      const call = calls[(number + made) % calls.length]!;
      const response = await send(baseUrl, call);
      const text = await response.text();
      if (response.ok) load.served += 1;
      else if (response.status === 503 && response.headers.has('Retry-After')) load.busy += 1;
      else load.failures.push(`${call.tool} ${text}`);
    }
  };
  const watching = setInterval(() => {
    load.mostResidentBytes = Math.max(load.mostResidentBytes, residentBytesOf(workerPid));
  }, 500);
  await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));
  clearInterval(watching);
  return load;
}
