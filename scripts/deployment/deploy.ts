/** Deploys the service step by step. Each step can be repeated, so an interrupted deployment can be run again. */
import { setTimeout } from 'node:timers/promises';
import type { CommandRunner } from './command-runner.ts';
import { type DeployedHealth, deployedHealth } from './deployed-health.ts';
import { deploymentFindings, type Environment } from './environment.ts';
import { copyRows, dropTables, tablesToMove } from './moved-rows.ts';
import { withReleasedImage } from './released-image.ts';
import { missingSecrets, rememberSecret, withSecretsFile } from './secrets.ts';

export interface DeployOptions {
  runner: CommandRunner;
  /** The file that stores the generated METRICS_TOKEN. Later deployments read their variables from this file. */
  settingsFile: string;
  /** The published image of the media worker. If undefined, the image is built. */
  image?: string;
  print(line: string): void;
  pause?: () => Promise<unknown>;
}

/**
 * The delay before moved rows are copied a second time, in milliseconds. Cloudflare may route calls to the previous
 * version for about a minute.
 */
const OLD_VERSION_MS = 90_000;
const LIFECYCLE = 'scripts/deployment/lifecycle.json';

/**
 * Deploys the environment, and returns whether the deployed service is healthy. Throws an error that describes the
 * failure if a step fails.
 */
export async function deploy(environment: Environment, given: DeployOptions): Promise<boolean> {
  const { runner } = given;
  // A dry run completes no steps, so it must not print their results.
  const print = runner.isDryRun ? () => {} : given.print;
  const options = { ...given, print };
  const env = ['--env', environment.name];
  const findings = deploymentFindings(environment);
  if (findings.length > 0 && !runner.isDryRun) throw new Error(findings.join('\n'));
  for (const finding of findings) given.print(`# ${finding}`);

  const version = await sourceVersion(runner);
  await checkAccount(runner, print);
  if (environment.buildsImage) await checkDocker(runner);

  await createIfMissing(options, 'Bucket', environment.bucket, 'r2', 'bucket', 'create');
  const lifecycle = ['r2', 'bucket', 'lifecycle', 'set', environment.bucket];
  await wrangler(runner, ...lifecycle, '--file', LIFECYCLE, '--force');
  print(`The lifecycle rules in ${LIFECYCLE} apply to ${environment.bucket}.`);
  for (const { binding, name } of environment.databases) {
    await createIfMissing(options, 'Database', name, 'd1', 'create');
    await migrate(options, binding, env);
  }
  const run = (...args: string[]) => wrangler(runner, ...args);
  const moved = await tablesToMove(run, env);
  const copied = moved.length > 0 ? await copyRows(run, env, moved) : undefined;

  await uploadVersion(environment, options, version);
  print(`Deployed ${version}: the Worker, the documents, the search index and the media worker.`);
  if (runner.isDryRun) {
    given.print(`# then GET ${environment.baseUrl}/health?deep=1 with METRICS_TOKEN`);
    return true;
  }
  const { baseUrl } = environment;
  const health = await deployedHealth(baseUrl!, process.env.METRICS_TOKEN, options.pause);
  const isHealthy = reportHealth(health, baseUrl!, options);
  if (moved.length > 0) {
    await (given.pause?.() ?? setTimeout(OLD_VERSION_MS));
    // The previous version may have written more rows during the pause.
    await copyRows(run, env, moved, copied);
    if (isHealthy) {
      await dropTables(run, env, moved);
      print(`Moved to their own databases: ${moved.join(', ')}`);
    } else print('The old tables are still in ACCOUNTS. Run npm run deploy again.');
  }
  return isHealthy;
}

async function migrate(
  { runner, print }: DeployOptions,
  binding: string,
  env: readonly string[],
): Promise<void> {
  const bookmark = await wrangler(runner, 'd1', 'time-travel', 'info', binding, ...env, '--json');
  if (!runner.isDryRun) print(`Bookmark of ${binding} before migrations: ${bookmarkIn(bookmark)}`);
  const applying = ['d1', 'migrations', 'apply', binding, '--remote', ...env];
  const migrated = await wrangler(runner, ...applying);
  const applied = new Set(migrated.match(/\b\d{4}_\w+\.sql\b/g));
  const names = applied.size > 0 ? [...applied].join(', ') : 'none';
  print(`Migrations applied to ${binding}: ${names}`);
}

/** Runs wrangler and returns its stdout. If it fails, throws an error with its whole output. */
async function wrangler(runner: CommandRunner, ...args: string[]): Promise<string> {
  const { ok, stdout, output } = await runner.run('wrangler', ...args);
  if (!ok) throw new Error(`wrangler ${args.join(' ')} failed:\n${output}`);
  return stdout;
}

async function sourceVersion(runner: CommandRunner): Promise<string> {
  const { stdout } = await runner.run('git', 'describe', '--tags', '--always', '--dirty');
  return stdout.trim() || 'unknown';
}

async function checkAccount(runner: CommandRunner, print: DeployOptions['print']): Promise<void> {
  const { ok, stdout } = await runner.run('wrangler', 'whoami', '--json');
  if (!ok) {
    throw new Error('Not signed in. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN.');
  }
  const { accounts = [] } = JSON.parse(stdout || '{}') as { accounts?: Account[] };
  if (accounts.length > 1 && !process.env.CLOUDFLARE_ACCOUNT_ID) {
    const listed = accounts.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new Error(
      `You have access to several accounts. Set CLOUDFLARE_ACCOUNT_ID to one of them: ${listed}`,
    );
  }
  if (accounts[0])
    print(`Signed in; the account is ${process.env.CLOUDFLARE_ACCOUNT_ID ?? accounts[0].name}.`);
  // The command fails without access to Containers, which only paid plans have.
  const containers = await runner.run('wrangler', 'containers', 'list', '--json');
  if (!containers.ok) {
    throw new Error(
      `The account has no access to Containers, which need the Workers Paid plan:\n${containers.output}`,
    );
  }
}

interface Account {
  id: string;
  name: string;
}

async function checkDocker(runner: CommandRunner): Promise<void> {
  const docker = process.env.WRANGLER_DOCKER_BIN || 'docker';
  const { ok } = await runner.run(docker, 'info');
  if (ok) return;
  throw new Error(
    `${docker} is not running, but building the media worker's image needs it. Start it, or set DOCKER_HOST to another machine.`,
  );
}

async function createIfMissing(
  { runner, print }: DeployOptions,
  kind: string,
  name: string,
  ...command: string[]
): Promise<void> {
  const { ok, output } = await runner.run('wrangler', ...command, name);
  if (!ok && !/already exists/i.test(output)) {
    throw new Error(`wrangler ${command.join(' ')} ${name} failed:\n${output}`);
  }
  print(ok ? `${kind} ${name} created.` : `${kind} ${name} exists.`);
}

/** Extracts the bookmark from the JSON of `d1 time-travel info`. The database can be restored to that bookmark. */
const bookmarkIn = (stdout: string): string => JSON.parse(stdout).bookmark;

/** Uploads the Worker and the container, together with the secrets that the Worker lacks. */
async function uploadVersion(
  { name }: Environment,
  { runner, print, settingsFile, image }: DeployOptions,
  version: string,
): Promise<void> {
  const listed = await runner.run('wrangler', 'secret', 'list', '--env', name);
  // There is no Worker before the first deployment, so it has no secrets to list.
  if (!listed.ok && !/not found/i.test(listed.output)) {
    throw new Error(`wrangler secret list failed:\n${listed.output}`);
  }
  const present = listed.ok && listed.stdout ? JSON.parse(listed.stdout) : [];
  const secrets = missingSecrets(
    present.map((secret: { name: string }) => secret.name),
    process.env,
  );
  const upload = [
    'deploy',
    '--env',
    name,
    '--tag',
    version,
    '--message',
    `npm run deploy ${version}`,
  ];
  const run = (...secretsFile: string[]) => {
    const withConfig = (config: string[]) => wrangler(runner, ...upload, ...config, ...secretsFile);
    return image ? withReleasedImage(image, withConfig) : withConfig([]);
  };
  const names = Object.keys(secrets);
  if (names.length === 0) {
    await run();
    return;
  }
  const token = secrets.METRICS_TOKEN;
  if (token && !runner.isDryRun && !process.env.METRICS_TOKEN) {
    // The token is stored before the upload, so that a failed deployment does not lose it.
    process.env.METRICS_TOKEN = token;
    rememberSecret(settingsFile, 'METRICS_TOKEN', token);
    print(`METRICS_TOKEN is in ${settingsFile}. Copy it to where you keep secrets.`);
  }
  await withSecretsFile(secrets, (path) => run('--secrets-file', path));
  print(`Secrets created: ${names.join(', ')}`);
}

/** Prints the state of the service. Returns true if no component is down. */
function reportHealth(
  { status, version, parts, isHealthy }: DeployedHealth,
  baseUrl: string,
  { print, settingsFile }: DeployOptions,
): boolean {
  print(`${baseUrl} responds: version ${version}, ${status}.`);
  for (const { name, state } of parts) print(`  ${name}: ${state}`);
  if (parts.length === 0) {
    print(
      `To check every part, set METRICS_TOKEN in ${settingsFile} to the METRICS_TOKEN of the deployment.`,
    );
  }
  return isHealthy;
}
