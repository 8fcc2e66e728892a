/** Deploys an environment from wrangler.toml. With --dry-run, it only prints the deployment commands. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { dryRunner, realRunner } from './deployment/command-runner.ts';
import { deploy } from './deployment/deploy.ts';
import { readEnvironment } from './deployment/environment.ts';
import { environmentNamed } from './deployment/environment-bindings.ts';

const USAGE = `Usage: npm run deploy -- [--env staging|production] [--image IMAGE] [--dry-run]

  --env      the environment in wrangler.toml (default: production)
  --image    a published media worker image (default: build one)
  --dry-run  print the commands without running them`;

try {
  const { values } = parseArgs({
    options: {
      env: { type: 'string', default: 'production' },
      image: { type: 'string' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
  } else {
    const environment = readEnvironment(environmentNamed(values.env));
    const settingsFile = `.env.${environment.name}`;
    if (existsSync(settingsFile)) process.loadEnvFile(settingsFile);
    const isHealthy = await deploy(environment, {
      runner: values['dry-run'] ? dryRunner(console.log) : realRunner,
      settingsFile,
      image: values.image,
      print: console.log,
    });
    if (!isHealthy) process.exitCode = 1;
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
