/** Checks that all scripts and files that the workflows, Renovate and the operators' documents mention exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { releaseNotes } from '../scripts/release-notes.ts';
import { VERSION } from '../src/catalogue/version.ts';

interface Step {
  uses?: string;
  run?: string;
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

interface Job {
  uses?: string;
  needs?: string | string[];
  environment?: string;
  env?: Record<string, string>;
  steps?: Step[];
}

const read = (path: string) => readFileSync(path, 'utf8');
const { scripts, version } = JSON.parse(read('package.json'));
const paths = globSync('.github/workflows/*.yml').sort();
const workflow = (name: string): Workflow => parse(read(`.github/workflows/${name}.yml`));

const commandsOf = (job: Job | undefined): string =>
  (job?.steps ?? []).map(({ run }) => run ?? '').join('\n');

/** Returns the npm scripts and repository files that the text refers to but that do not exist. */
function called(text: string): string[] {
  const npm = [...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g)];
  const files = [...text.matchAll(/\b(?:scripts|containers)\/[\w./-]*\.(?:ts|mjs|json|txt)\b/g)];
  const missing = npm.map(([, run, short]) => (run ?? short)!).filter((name) => !(name in scripts));
  return [...missing, ...files.map(([path]) => path).filter((path) => !existsSync(path))];
}

describe('the workflows', () => {
  it.each(paths)('%s uses only existing scripts, and actions pinned to a commit', (path) => {
    expect(called(read(path))).toEqual([]);
    for (const { uses, steps = [] } of Object.values<Workflow['jobs'][string]>(
      parse(read(path)).jobs,
    )) {
      for (const action of [uses, ...steps.map((step) => step.uses)].filter((name) => name)) {
        if (action!.startsWith('./')) expect(existsSync(action!)).toBe(true);
        // Actions are pinned to a commit, because a tag can be moved.
        else expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      }
    }
  });

  it('run tests on pull requests with a read-only token', () => {
    const { on, permissions } = workflow('test');
    expect(on).toHaveProperty('pull_request');
    expect(on).not.toHaveProperty('pull_request_target');
    expect(permissions).toEqual({ contents: 'read' });
  });

  it('deploy to staging after the tests', () => {
    const { on, jobs } = workflow('staging');
    expect(on).toEqual({ push: { branches: ['main'] } });
    expect(jobs.deploy).toMatchObject({ needs: 'test', environment: 'staging' });
    expect(commandsOf(jobs.deploy)).toContain('npm run deploy -- --env staging');
  });

  it('deploy a tag to production with the image of its release', () => {
    const { on, jobs } = workflow('release');
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(jobs.deploy).toMatchObject({ needs: 'release', environment: 'production' });
    expect(commandsOf(jobs.deploy)).toContain(
      'npm run deploy -- --env production --image "$IMAGE"',
    );
    expect(jobs.deploy!.env!.IMAGE).toBe(jobs.release!.env!.IMAGE);
    expect(commandsOf(jobs.release)).toContain('docker buildx build --push --sbom=true');
  });

  it('release after the tests, with both images', () => {
    const { jobs } = workflow('release');
    expect(jobs['service-image']!.needs).toBe('test');
    expect(jobs.release!.needs).toEqual(['test', 'service-image']);
    for (const [job, image] of [
      ['release', 'media'],
      ['service-image', 'service'],
    ] as const) {
      const commands = commandsOf(jobs[job]);
      expect(commands).toContain(`--file containers/${image}/Dockerfile`);
      expect(commands).toContain(`scripts/debian-licenses.ts --check ${image} root`);
    }
    const commands = commandsOf(jobs['service-image']);
    expect(commands).toContain('npm run test:image');
    // Docker ignores a build argument that the Dockerfile does not declare.
    const dockerfile = read('containers/service/Dockerfile');
    for (const [, name] of commands.matchAll(/--build-arg "(\w+)=/g)) {
      expect(dockerfile).toMatch(new RegExp(`^ARG ${name}\\b`, 'm'));
    }
  });
});

describe('Renovate', () => {
  it('leaves the generated package.json to npm run gen', () => {
    const { ignorePaths } = JSON.parse(read('renovate.json'));
    expect(ignorePaths.toSorted()).toEqual(globSync('containers/*/package.json').sort());
    expect(ignorePaths.filter((path: string) => !existsSync(path))).toEqual([]);
  });
});

describe('the operator documents', () => {
  it.each(['docs/operations.md', 'docs/releases.md', 'README.md'])(
    '%s mentions only commands that exist',
    (path) => {
      expect(called(read(path))).toEqual([]);
    },
  );

  it.each(['docs/operations.md', 'docs/releases.md', 'CHANGELOG.md', 'SECURITY.md'])(
    '%s links only to files that exist',
    (path) => {
      const folder = path.includes('/') ? 'docs/' : '';
      const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link!);
      expect(links.length).toBeGreaterThan(0);
      expect(links.filter((link) => !existsSync(`${folder}${link}`))).toEqual([]);
    },
  );
});

describe('a release', () => {
  it('has the same version everywhere, and an entry in the changelog', () => {
    expect(VERSION).toBe(version);
    expect(releaseNotes(`v${version}`, read('CHANGELOG.md'), version)).not.toBe('');
  });

  it('uses the changelog entries of its version as notes', () => {
    const changelog =
      '# Changelog\n\n## Unreleased\n\n- c\n\n## 2.1.0 (2026-12-01)\n\n- b\n\n## 2.0.0 (d)\n\n- a\n';
    expect(releaseNotes('v2.1.0', changelog, '2.1.0')).toBe('- b\n');
  });

  it('is refused without an entry, or if package.json has another version', () => {
    expect(() => releaseNotes('v2.1.0', '## Unreleased\n', '2.1.0')).toThrow(
      'no section "## 2.1.0',
    );
    expect(() => releaseNotes('v2.1.0', '', '2.0.0')).toThrow('package.json has version 2.0.0');
  });
});
