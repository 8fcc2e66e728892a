/** Runs a service with fake upstreams for the fuzzer, and checks its responses and resource usage. */
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountKey } from '../support/account-key.ts';
import { descendantsOf } from '../support/descendants.ts';
import { startService, stopService } from '../support/global-setup.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { html, openUpstream, type Upstream } from '../support/upstream.ts';
import { residentOf, workerdOf } from '../support/workerd-process.ts';
import { problemOf } from './answer.ts';
import { treeCpuSeconds } from './process-tree.ts';

export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The request body. It has one character per byte if `binary` is set. Otherwise, it is sent as UTF-8. */
  body?: string;
  binary?: boolean;
  /** The response body of http://page.test/fuzzed during the call, with one character per byte. */
  page?: string;
}

const HANG_MS = 150_000;
const MAX_CPU_SECONDS = 15;
const MAX_MEMORY_MB = 300;
const MAX_ANSWER = 64 * 2 ** 20;
/**
 * The allowed growth of the storage per call, in bytes, in addition to four times the sent bytes. A call may store a
 * result.
 */
const STORED_PER_CALL = 9 * 2 ** 20;
const LOOK_EVERY = 25;
const SETTLE_MS = 15_000;
/** Matches the processes of an idle service: the service itself, its process pools, and one idle browser. */
const AT_REST = /^(node|MainThread|workerd|esbuild|chrom|cat$|libuv)/;

export class FuzzedService implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #pid: number;
  readonly #stop: () => Promise<void>;
  readonly #key: string;
  readonly #stateDir: string;
  readonly #setPage: (page: string) => void;
  readonly #idleMemory: number;
  readonly #workerd: number;
  /**
   * The CPU seconds that the service had used at the end of the last call. The value is stored, because reading it
   * takes milliseconds.
   */
  #cpu: number;
  #calls = 0;
  #stored: number;
  #sent = 0;

  private constructor(
    baseUrl: string,
    pid: number,
    stateDir: string,
    key: string,
    setPage: (page: string) => void,
    stop: () => Promise<void>,
  ) {
    this.baseUrl = baseUrl;
    this.#pid = pid;
    this.#stateDir = stateDir;
    this.#key = key;
    this.#setPage = setPage;
    this.#stop = stop;
    this.#workerd = workerdOf(pid);
    this.#idleMemory = residentOf(this.#workerd);
    this.#stored = bytesIn(stateDir);
    this.#cpu = treeCpuSeconds(pid);
  }

  static async open(): Promise<FuzzedService> {
    const stateDir = mkdtempSync(join(tmpdir(), 'tools-fuzzed-'));
    let page = '<title>A page</title>';
    const models: ModelServer = await startModelServer();
    const upstream: Upstream = await openUpstream({
      '/': '<title>A page</title><link rel=icon href="/none">',
      '/fuzzed': (_, response) => html(response, Buffer.from(page, 'latin1')),
    });
    const { child, baseUrl } = await startService({
      STATE_DIR: stateDir,
      EGRESS_HOSTS: JSON.stringify({ 'page.test': `127.0.0.1:${upstream.port}` }),
      OPENAI_BASE_URL: models.url,
      MODEL_TEXT: 'writer',
      MODEL_IMAGE: 'painter',
      MODEL_VISION: 'viewer',
      MODEL_EMBED: 'embedder',
    });
    const key = await accountKey(stateDir, {
      'requests-per-day': '1000000000',
      'tokens-per-month': '1000000000',
    });
    // The first calls load modules, which would distort the measurements.
    for (const path of ['/', '/api/v1/tools', '/api/v1/search']) await fetch(baseUrl + path);
    const stop = async () => {
      await stopService(child);
      await Promise.all([models.stop(), upstream.close()]);
      rmSync(stateDir, { recursive: true, force: true });
    };
    const setPage = (next: string) => {
      page = next;
    };
    return new FuzzedService(baseUrl, child.pid!, stateDir, key, setPage, stop);
  }

  /**
   * Makes the call and checks the response and the service. Returns a description of the problem, or null if there is
   * none.
   */
  async check(call: Call): Promise<string | null> {
    if (call.page !== undefined) this.#setPage(call.page);
    const body =
      call.body === undefined ? undefined : Buffer.from(call.body, call.binary ? 'latin1' : 'utf8');
    this.#sent += body?.length ?? 0;
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.baseUrl + call.path, {
        method: call.method,
        headers: { Authorization: `Bearer ${this.#key}`, ...call.headers },
        ...(body && { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(HANG_MS),
      });
      text = Buffer.from(await response.arrayBuffer()).toString('latin1');
    } catch (error) {
      return `no response: ${String((error as Error).cause ?? error)}`;
    }
    const problem = problemOf(call, response, Buffer.from(text, 'latin1').toString());
    if (problem !== null) return problem;
    if (text.length > MAX_ANSWER) return `returns ${text.length} bytes`;
    const cpuBefore = this.#cpu;
    this.#cpu = treeCpuSeconds(this.#pid);
    const cpu = this.#cpu - cpuBefore;
    if (cpu > MAX_CPU_SECONDS) return `takes ${cpu.toFixed(0)} s of CPU`;
    const memory = residentOf(this.#workerd) - this.#idleMemory;
    if (memory > MAX_MEMORY_MB) return `takes ${memory.toFixed(0)} MB over idle`;
    this.#calls += 1;
    return this.#calls % LOOK_EVERY === 0 ? this.afterwards() : null;
  }

  /** Reports files and processes that calls should not have left behind. */
  async afterwards(): Promise<string | null> {
    const stored = bytesIn(this.#stateDir);
    const grown = stored - this.#stored;
    const allowed = LOOK_EVERY * STORED_PER_CALL + 4 * this.#sent;
    this.#stored = stored;
    this.#sent = 0;
    if (grown > allowed) return `stores ${grown} bytes with ${LOOK_EVERY} calls`;
    const left = () =>
      [...descendantsOf(this.#pid)]
        .filter(([, command]) => !AT_REST.test(command))
        .map(([, name]) => name);
    for (const end = Date.now() + SETTLE_MS; left().length > 0 && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 100));
    const names = left();
    if (names.length > 0) return `leaves programs: ${names.join(' ')}`;
    const browsers = [...descendantsOf(this.#pid).keys()].filter(isBrowser).length;
    return browsers > 1 ? `leaves ${browsers} browsers` : null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stop();
  }
}

function isBrowser(pid: number): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes('--remote-debugging-port') && !command.includes('--type=');
  } catch {
    return false;
  }
}

function bytesIn(folder: string): number {
  let sum = 0;
  for (const path of globSync('**/*', { cwd: folder }))
    sum += statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0;
  return sum;
}
