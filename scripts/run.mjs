/** Implements `npm run NAME`: installs the dependencies of the command, then runs its program. */
import { runWithNode, setup } from './setup.mjs';

const SERVICE = ['worker', 'local'];
const TESTS = [...SERVICE, 'test'];

/** The required sections of apt-packages.txt, the program and its arguments, by command. */
const COMMANDS = {
  start: [SERVICE, 'scripts/serve.ts'],
  dev: [SERVICE, 'scripts/develop.ts'],
  'readme-image': [TESTS, 'scripts/readme-image.ts'],
  'how-to-images': [TESTS, 'scripts/how-to-images.ts'],
  test: [TESTS, 'scripts/run-tests.ts'],
  'test:long': [TESTS, 'node_modules/vitest/vitest.mjs', 'run', '--project=long'],
  'test:image': [TESTS, 'node_modules/vitest/vitest.mjs', 'run', '--project=image'],
  fuzz: [TESTS, 'test/fuzz/fuzz.ts'],
  bench: [[...TESTS, 'bench'], 'test/bench/bench.ts'],
  check: [[], 'scripts/checks.ts'],
  format: [[], 'node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'],
  gen: [[], 'scripts/gen.ts'],
  'new-tool': [[], 'scripts/new-tool.ts'],
  key: [[], 'scripts/key.ts'],
  admin: [[], 'scripts/admin.ts'],
  backup: [[], 'scripts/backup.ts'],
  restore: [[], 'scripts/restore.ts'],
  prepack: [[], 'scripts/pack.ts', 'before'],
  postpack: [[], 'scripts/pack.ts', 'after'],
  deploy: [[], 'scripts/deploy.ts'],
};

const [name, ...args] = process.argv.slice(2);
const [sections, ...program] = COMMANDS[name];
const node = await setup(sections);
process.exit(await runWithNode(node, [...program, ...args]));
