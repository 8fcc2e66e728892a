/** Validates configuration files of external services against the schemas that those services publish. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { experimental_readRawConfig } from 'wrangler';
import { z } from 'zod';

const read = (path: string) => readFileSync(path, 'utf8');

describe('the workflow schema', () => {
  let github: typeof import('@actions/workflow-parser');
  beforeAll(async () => {
    // The parser must be bundled, because it imports JSON in a way that Node does not support.
    const folder = mkdtempSync(join(tmpdir(), 'tools-workflows-'));
    const outfile = join(folder, 'parser.cjs');
    await build({
      entryPoints: ['@actions/workflow-parser'],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile,
    });
    github = createRequire(import.meta.url)(outfile);
    return () => rmSync(folder, { recursive: true });
  });

  /** Returns the errors that GitHub's own parser reports. */
  async function findingsIn(name: string, content: string): Promise<string[]> {
    const silent = { error() {}, info() {}, verbose() {} };
    const { context, value } = github.parseWorkflow({ name, content }, silent);
    const found = context.errors.getErrors().map(String);
    if (!value || found.length > 0) return found;
    const { errors = [] } = await github.convertWorkflowTemplate(context, value);
    return errors.map(({ Message }) => Message);
  }

  it.each(globSync('.github/workflows/*.yml'))('accepts %s', async (path) => {
    expect(await findingsIn(path, read(path))).toEqual([]);
  });

  it.each([
    ['key', 'limit: 3'],
    ['job', 'needs: absent'],
    ['context', `name: "\${{ secretz.a }}"`],
  ])('refuses an unknown %s', async (_, line) => {
    const text = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{ run: echo }]\n    ${line}\n`;
    expect(await findingsIn('a.yml', text)).not.toEqual([]);
  });
});

describe('wrangler.toml', () => {
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(
    JSON.parse(read('node_modules/wrangler/config-schema.json')),
  );

  it('is valid for wrangler, which only warns of an unknown key', () => {
    const { rawConfig } = experimental_readRawConfig({ config: 'wrangler.toml' });
    isValid(rawConfig);
    expect(isValid.errors).toBe(null);
    expect(isValid({ ...rawConfig, route_s: [] })).toBe(false);
  });
});

/**
 * The options that renovate.json uses, as https://docs.renovatebot.com/configuration-options/
 * describes them. Renovate's schema is part of a 100 MB package, and permits unknown options.
 */
const schedule = z.array(z.string().regex(/^\*( [\d*,/-]+){4}$/));
const minimumReleaseAge = z.string().regex(/^\d+ (hour|day|week)s?$/);
const RENOVATE = z.strictObject({
  $schema: z.literal('https://docs.renovatebot.com/renovate-schema.json'),
  extends: z.array(
    z.enum([
      'config:recommended',
      ':dependencyDashboard',
      ':semanticCommits',
      'helpers:pinGitHubActionDigests',
      'docker:pinDigests',
    ]),
  ),
  timezone: z.literal('UTC'),
  schedule,
  rangeStrategy: z.enum(['auto', 'pin', 'bump', 'replace', 'widen', 'update-lockfile']),
  minimumReleaseAge,
  lockFileMaintenance: z.strictObject({ enabled: z.boolean() }),
  vulnerabilityAlerts: z.strictObject({
    enabled: z.boolean(),
    minimumReleaseAge: minimumReleaseAge.nullable(),
    schedule,
  }),
  ignorePaths: z.array(z.string()),
  packageRules: z.array(
    z
      .strictObject({
        description: z.string(),
        groupName: z.string(),
        matchPackageNames: z.array(z.string()).min(1),
        matchUpdateTypes: z.array(z.enum(['major', 'minor', 'patch', 'pin', 'digest'])),
        enabled: z.boolean(),
      })
      .partial(),
  ),
});

describe('renovate.json', () => {
  const config = JSON.parse(read('renovate.json'));

  it('contains only options and values that Renovate supports', () => {
    expect(RENOVATE.safeParse(config).error).toBeUndefined();
    expect(RENOVATE.safeParse({ ...config, ignorePath: [] }).success).toBe(false);
  });
});
