/** Runs `wrangler dev`, which rebuilds after every change, and starts the media worker as a separate process. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { offerBrowser } from './browser.ts';
import { startMediaWorker } from './media-worker.ts';
import { type OwnedState, ownState, StateUnavailable } from './state-owner.ts';
import { hasSetpriv } from './tied-program.ts';
import { tieWorkerd } from './tied-workerd.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
const port = process.env.PORT || '8787';
const stateDir = process.env.STATE_DIR || '.wrangler/state';
ownFolder().listensAt(`http://localhost:${port}`);
const secret = randomBytes(24).toString('hex');
const media = await startMediaWorker(secret, console.log);
offerBrowser();
tieWorkerd();
const variables = {
  BASE_URL: process.env.BASE_URL || `http://localhost:${port}`,
  MEDIA_URL: media.url,
  MEDIA_SECRET: secret,
};
// Bypasses wrangler's launcher, whose child process would continue to run after this process exits.
const wranglerProgram = fileURLToPath(import.meta.resolve('wrangler'));
const tied = hasSetpriv() ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [];
const [program = '', ...words] = [...tied, process.execPath, '--no-warnings', wranglerProgram];
const wrangler = spawn(
  program,
  [
    ...words,
    'dev',
    // Remote bindings would need a Cloudflare account, and Workers AI costs money.
    '--local',
    '--persist-to',
    stateDir,
    '--port',
    port,
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => wrangler.kill(signal));
wrangler.on('exit', async (code) => {
  await media.stop();
  process.exit(code ?? 0);
});

function ownFolder(): OwnedState {
  try {
    return ownState(stateDir);
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
