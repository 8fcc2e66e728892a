/** Provides the browser of a self-hosted service: Debian's Chromium, run with restricted privileges. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM_PATH } from '../containers/media/programs.ts';
import { isRoot, obstacleToBecoming } from '../containers/media/root.ts';
import { type Confinement, USERS } from '../src/core/confinement.ts';
import { BROWSER_BYTES, canWatch } from './browser-watch.ts';
import { cacheFolder } from './cache-folder.ts';
import { CHROMIUM_PATH } from './chromium-path.ts';
import { hasSetpriv, scriptKey, writeTiedProgram } from './tied-program.ts';

/** The browser version that Miniflare's browser binding looks for. */
const CHROME = 'linux-126.0.6478.182';
/** If this file does not exist, Miniflare deletes a browser that fails to start, and downloads Chrome. */
const COMPLETE = '.miniflare-install-complete';
/** The headless shell needs less than half as much CPU time per capture as the full Chromium (ADR 95). */
const CHROMIUM = [CHROMIUM_PATH, '/usr/bin/chromium'].find(existsSync);
/** The set-user-ID helper of Debian's chromium-sandbox, which Chromium uses if user namespaces are not available. */
const SANDBOX_HELPER = '/usr/lib/chromium/chrome-sandbox';

/** The limit on writable memory for each browser process, in bytes. */
const PROCESS_BYTES = 2 * 1024 ** 3;
/** The limit on the total number of threads in all browsers. A page with many frames uses about 500 threads. */
const THREADS = 8192;
/** Chromium runs at a lower priority than the proxy and workerd, because a page can start hundreds of threads. */
const NICENESS = 10;

const FLAGS = [
  // By default, the headless shell renders frames from all sites in one process.
  '--site-per-process',
  // WebRTC could otherwise bypass the proxy over UDP.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Puppeteer sets the same flags. Miniflare omits the last three. Without them, each window loads two extra pages for
  // an invisible address bar.
  `--disable-features=${[
    ...['Translate', 'AcceptCHFrame', 'MediaRouter', 'OptimizationHints'],
    ...['ProcessPerSiteUpToMainFrameThreshold', 'IsolateSandboxedIframes'],
    ...['WebUIReloadButton', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ].join()}`,
  // Limits a script's heap, so that a page crashes before the machine runs out of memory.
  '--js-flags=--max-old-space-size=512',
  '--renderer-process-limit=8',
];

/** Installs Debian's Chromium in the folder where Miniflare looks for Chrome. Returns how the browser is confined. */
export function offerBrowser(): Confinement {
  if (process.platform !== 'linux' || !CHROMIUM) {
    return { on: [], off: ['everything (chromium-headless-shell is not installed)'] };
  }
  const canDropRoot = isRoot() && !obstacleToBecoming(USERS.browser) && hasSetpriv();
  const sandbox = sandboxOf(canDropRoot ? USERS.browser : undefined);
  // Chromium refuses to run as root with its sandbox. Miniflare disables the sandbox if CI is set.
  const canHaveSandbox = sandbox !== 'none' && (!isRoot() || canDropRoot);
  // When the service runs in its image, the container isolates the browser from the host.
  const mayLackSandbox = isRoot() || process.env.TOOLS_SANDBOX === 'optional';
  const tied = {
    flags: canHaveSandbox || !mayLackSandbox ? FLAGS : [...FLAGS, '--no-sandbox'],
    without: canHaveSandbox ? ['--no-sandbox'] : [],
    user: canDropRoot ? USERS.browser : undefined,
    mayGainPrivileges: sandbox === 'helper',
    limits: [`--data=${PROCESS_BYTES}`, ...(canDropRoot ? [`--nproc=${THREADS}`] : [])],
    niceness: NICENESS,
    each: 'case $given in --user-data-dir=*) profile=$' + '{given#*=} ;; esac',
    // By default, only Miniflare's own user can enter the profile folder. The script therefore changes the owner of the
    // folder and the permissions of its parent folders.
    prepare: canDropRoot
      ? `chown ${USERS.browser}:${USERS.browser} "$profile" && chmod o+x "$profile/.." "$profile/../.."`
      : '',
    // Chromium creates its sockets in TMPDIR. The image has no other writable folder.
    environment: `PATH="$PATH" LC_ALL=C.UTF-8 HOME="$profile" TMPDIR='${process.env.TOOLS_TMP ?? '/tmp'}'`,
  };
  const cache = join(cacheFolder(), `browser-${scriptKey(CHROMIUM, tied)}`);
  process.env.XDG_CACHE_HOME = cache;
  const folder = join(cache, '.wrangler', 'chrome', CHROME);
  writeTiedProgram(join(folder, 'chrome-linux64', 'chrome'), CHROMIUM, tied);
  writeFileSync(join(folder, COMPLETE), '');
  return report(canHaveSandbox, isRoot() && !canDropRoot, sandbox !== 'helper');
}

function report(hasSandbox: boolean, staysRoot: boolean, keepsPrivileges: boolean): Confinement {
  const on = ['clean environment'];
  const off: string[] = [];
  if (staysRoot)
    off.push(
      `unprivileged user (${obstacleToBecoming(USERS.browser) ?? 'setpriv from util-linux is not installed'})`,
    );
  else on.unshift(`user ${process.getuid?.() || USERS.browser}`);
  if (hasSandbox) on.push('sandbox with seccomp and no network for pages');
  else
    off.push(
      'sandbox (Chromium runs as root, or the kernel refuses user namespaces and chromium-sandbox is not installed)',
    );
  if (!hasSetpriv()) off.push('no new privileges (setpriv from util-linux is not installed)');
  else if (keepsPrivileges) on.push('no new privileges');
  else off.push('no new privileges (the sandbox uses the set-user-ID helper)');
  const gigabytes = BROWSER_BYTES / 1024 ** 3;
  if (canWatch()) on.push(`${gigabytes} GB of memory`);
  else off.push(`${gigabytes} GB of memory (the kernel does not list the children of a process)`);
  return { on, off };
}

/** Returns the mechanism that Chromium's sandbox can use on this machine. */
function sandboxOf(user: number | undefined): 'namespaces' | 'helper' | 'none' {
  const drop =
    user === undefined
      ? []
      : ['setpriv', '--reuid', `${user}`, '--regid', `${user}`, '--clear-groups'];
  if (runs([...drop, 'unshare', '--user', '--pid', '--net', '--fork', 'true'])) return 'namespaces';
  const mode = statSync(SANDBOX_HELPER, { throwIfNoEntry: false })?.mode ?? 0;
  return mode & 0o4000 ? 'helper' : 'none';
}

function runs([program = '', ...words]: string[]): boolean {
  const env = { PATH: SYSTEM_PATH };
  return spawnSync(program, words, { stdio: 'ignore', env }).status === 0;
}
