/**
 * Installs what the service needs: npm packages, a Node version and system packages. Runs on plain Node 20 without
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
/** Setup reports on stderr, because stdout belongs to the command's output, such as a key. */
const STDERR = 2;
const PACKAGE_LIST = join(ROOT, 'containers', 'media', 'apt-packages.txt');

/**
 * Sets up everything and returns the path of a suitable Node. Reports what cannot be installed, with the command that
 * installs it.
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
 * Removes `node_modules/.bin` folders, which npm adds to PATH for every parent folder: anyone may have put an apt-get
 * there that root would run.
 */
const withoutPackages = (path) =>
  path
    .split(delimiter)
    .filter((folder) => !`${folder}/`.includes('/node_modules/'))
    .join(delimiter);

/** Runs a script with the Node from the lock file; returns its exit code. Forwards signals. */
export function runWithNode(node, args, env = {}) {
  const child = spawn(node, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      // Caches compiled code of programs that start often: the media worker and the service.
      NODE_COMPILE_CACHE: join(ROOT, '.wrangler', 'cache', 'node'),
      ...process.env,
      ...env,
      PATH: `${join(MODULES, '.bin')}:${process.env.PATH}`,
    },
  });
  // npm exits at a SIGTERM without forwarding it, so an orphaned process stops its child.
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

/** Returns the packages of one or more sections of apt-packages.txt. */
export function systemPackages(sections) {
  const packages = [];
  let section = '';
  for (const line of readFileSync(PACKAGE_LIST, 'utf8')
    .split('\n')
    .map((text) => text.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const heading = /^\[(.+)\]$/.exec(line);
    if (heading) section = heading[1];
    else if (sections.includes(section)) packages.push(line);
  }
  return packages;
}

function installPackages() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.error('Installing npm packages …');
  // If an installation is interrupted before it writes the stamp, it is repeated.
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

/** Returns Node 24 from the lock file, or else the running Node if it is new enough. */
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
        `Missing: ${programs}. Tools that need them return 503. Run: brew install ${programs}`,
      );
    }
    return;
  }
  if (!hasProgram('apt-get')) {
    console.warn(
      `Missing (Debian package names): ${missing.join(' ')}. Tools that need them return 503.`,
    );
    return;
  }
  if (process.getuid?.() !== 0 && !(await mayUseSudo(command))) {
    console.warn(
      `Not installed: ${missing.join(' ')}. Tools that need them return 503. Run: ${command}`,
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
  // An unknown name must not block the other packages, so each one is retried on its own.
  if (apt(...wanted, ...missing) !== 0) for (const name of missing) apt(...wanted, name);
  const still = missingSystemPackages(sections);
  if (still.length > 0) {
    console.warn(
      `Could not be installed: ${still.join(' ')}. Tools that need them return 503. Run: ${command}`,
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

/**
 * Returns Homebrew's formula with the programs of a Debian package that `npm start` uses on macOS.
 */
function homebrewFormula(name) {
  if (name === 'poppler-utils') return 'poppler';
  if (name === 'tesseract-ocr') return 'tesseract';
  if (name.startsWith('tesseract-ocr-')) return 'tesseract-lang';
  return ['ffmpeg', 'qpdf'].includes(name) ? name : undefined;
}

/** Returns the program of a Debian package, if its name differs. */
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
