/**
 * Installs the dependencies of the service: npm packages, Node and system packages. Runs on Node 20 without any
 * packages.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline/promises';

export const ROOT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.installed-from');
// biome-ignore lint/suspicious/noTemplateCurlyInString: these are fields of dpkg-query
const FORMAT = '${Package} ${db:Status-Status}\\n';
/** Setup prints to stderr, because stdout belongs to the command. `npm run key`, for example, prints a key. */
const STDERR = 2;
const DEBIAN_VERSION = '/etc/debian_version';
const PACKAGE_LIST = join(ROOT, 'containers', 'media', 'apt-packages.txt');

/**
 * Installs everything and returns the path of a suitable Node. Reports packages that it cannot install, with the
 * command that installs them.
 * @param {string[]} sections of apt-packages.txt
 */
export async function setup(sections) {
  if (process.platform === 'win32') {
    console.error(
      'Windows is not supported. Use WSL 2 with Debian, or the container image (docs/self-hosting.md).',
    );
    process.exit(1);
  }
  process.env.PATH = withoutPackages(process.env.PATH);
  installPackages();
  await installSystemPackages(sections);
  return nodePath();
}

/**
 * Removes `node_modules` folders from a PATH. npm adds `node_modules/.bin` of every parent folder, where another user
 * may have placed a program named apt-get that root would run.
 */
const withoutPackages = (path) =>
  path
    .split(delimiter)
    .filter((folder) => !`${folder}/`.includes('/node_modules/'))
    .join(delimiter);

/** Runs a script with the Node at the path `node`, and forwards signals to it. Returns its exit code. */
export function runWithNode(node, args, env = {}) {
  const child = spawn(node, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      // Caches compiled code, because the media worker and the service start often.
      NODE_COMPILE_CACHE: join(ROOT, '.wrangler', 'cache', 'node'),
      ...process.env,
      ...env,
      PATH: `${join(MODULES, '.bin')}:${process.env.PATH}`,
    },
  });
  // npm exits on SIGTERM without forwarding it. This process notices that its parent has changed, and stops its child.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500);
  watch.unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * Returns the packages of one or more sections of apt-packages.txt. A section may have a part for newer versions of
 * Debian.
 */
export function systemPackages(sections) {
  const packages = [];
  let section = '';
  for (const line of readFileSync(PACKAGE_LIST, 'utf8')
    .split('\n')
    .map((text) => text.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const heading = /^\[(\w+)(?:, from Debian (\d+))?\]$/.exec(line);
    if (heading) section = debianVersion() < Number(heading[2] ?? 0) ? '' : heading[1];
    else if (sections.includes(section)) packages.push(line);
  }
  return packages;
}

/**
 * Returns Debian's major version, or 0 on other systems. A derivative without a version number counts as newer than any
 * Debian.
 */
function debianVersion() {
  if (!existsSync(DEBIAN_VERSION)) return 0;
  return Number.parseInt(readFileSync(DEBIAN_VERSION, 'utf8'), 10) || Number.POSITIVE_INFINITY;
}

function installPackages() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.error('Installing npm packages …');
  // The stamp file is deleted first, so that an interrupted installation is repeated.
  rmSync(STAMP, { force: true });
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['inherit', STDERR, 'inherit'],
  });
  if (result.status !== 0) {
    console.error('npm ci failed. When the registry is reachable, run: npm ci');
    process.exit(1);
  }
  writeFileSync(STAMP, wanted);
}

/**
 * Returns the path of Node 24, which npm installs from the lock file. If Node 24 does not run, returns the path of the
 * running Node. Exits if the running Node is too old.
 */
function nodePath() {
  const bundled = join(MODULES, '.bin', 'node');
  if (existsSync(bundled) && spawnSync(bundled, ['--version']).status === 0) return bundled;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  console.error(
    `Node 22.18 or newer is required, but this is ${process.versions.node}. Run: npm ci (it installs Node 24)`,
  );
  process.exit(1);
}

async function installSystemPackages(sections) {
  const missing = missingSystemPackages(sections);
  if (missing.length === 0) return;
  const install = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const command = process.getuid?.() === 0 ? install : `sudo ${install}`;
  if (process.platform === 'darwin') {
    const formulas = [...new Set(missing.flatMap((name) => homebrewFormula(name) ?? []))];
    if (formulas.length > 0) {
      const programs = formulas.join(' ');
      console.warn(
        `Missing: ${programs} (tools that need them return 503). Run: brew install ${programs}`,
      );
    }
    return;
  }
  if (!hasProgram('apt-get')) {
    console.warn(
      `Missing: ${missing.join(' ')} (tools that need them return 503). Install these packages (Debian names).`,
    );
    return;
  }
  if (process.getuid?.() !== 0 && !(await mayUseSudo(command))) {
    console.warn(
      `Missing: ${missing.join(' ')} (tools that need them return 503). Run: ${command}`,
    );
    return;
  }
  console.error(`Installing system packages: ${missing.join(' ')} …`);
  const prefix = process.getuid?.() === 0 ? [] : ['sudo'];
  const apt = (...args) => {
    const words = [
      ...prefix,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-y',
      '-qq',
      ...args,
    ];
    return spawnSync(words[0], words.slice(1), { stdio: ['inherit', 'ignore', 'inherit'] }).status;
  };
  const wanted = ['install', '--no-install-recommends'];
  apt('update');
  // One unknown name makes apt-get reject the whole list, so each package is retried separately.
  if (apt(...wanted, ...missing) !== 0) for (const name of missing) apt(...wanted, name);
  const still = missingSystemPackages(sections);
  if (still.length > 0) {
    console.warn(
      `Could not be installed: ${still.join(' ')} (tools that need them return 503). Run: ${command}`,
    );
  }
}

function missingSystemPackages(sections) {
  const wanted = systemPackages(sections);
  if (!hasProgram('dpkg-query')) return wanted.filter((name) => !hasProgram(programOf(name)));
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', FORMAT, ...wanted], {
    encoding: 'utf8',
  });
  const installed = new Set(
    stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  return wanted.filter((name) => !installed.has(name));
}

/** Returns the Homebrew formula that corresponds to a Debian package, if `npm start` uses its programs on macOS. */
function homebrewFormula(name) {
  if (name === 'poppler-utils') return 'poppler';
  if (name === 'tesseract-ocr') return 'tesseract';
  if (name.startsWith('tesseract-ocr-')) return 'tesseract-lang';
  return ['ffmpeg', 'qpdf'].includes(name) ? name : undefined;
}

/** Returns the name of a Debian package's program. */
function programOf(name) {
  const programs = { ghostscript: 'gs', 'poppler-utils': 'pdftoppm', 'zbar-tools': 'zbarimg' };
  return programs[name] ?? name.replace(/^(tesseract)-ocr.*/, '$1');
}

function hasProgram(name) {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function mayUseSudo(command) {
  if (!hasProgram('sudo') || !process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`System packages are missing. Run "${command}"? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
