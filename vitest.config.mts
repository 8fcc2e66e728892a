/**
 * Units in workerd with its real bindings, units in Node, and the whole service over HTTP. Some files at a time; at the
 * end, fewer at a time, those that load the machine and those that measure: what the shared service holds, or a second.
 */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LAST = [
  'test/load/**/*.test.ts',
  'test/media/**/*.test.ts',
  // No other of the last uses the service that all share.
  'test/rest/multipart.test.ts',
  // With a service of its own, and a second for what it looks at.
  'test/rest/abort.test.ts',
];

/** What takes longest begins first, so that nothing waits for it in the end. A fresh clone knows no durations yet. */
const LONGEST = [
  'test/rest/multipart.test.ts',
  'containers/media/operations/video/compress.test.ts',
  'containers/media/server-end.test.ts',
  'test/web/screenshot-url.test.ts',
  'test/rest/limits.test.ts',
  'test/rest/documents.test.ts',
  'test/content/documents.test.ts',
  'test/site/every-tool.test.ts',
  'test/start/start.test.ts',
  'test/site/accessibility.test.ts',
  'test/rest/jobs.test.ts',
  'test/site/developers.test.ts',
  'test/site/browser-tools.test.ts',
  'test/site/github.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const location = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return index < 0 ? LONGEST.length : index;
    };
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => group(a) - group(b) || location(a) - location(b));
  }
}

/** Tools with the real operations of the media worker, which need Node. */
const MEDIA = 'src/tools/*/*.media.test.ts';

/** Simulations, without a service. */
const SCALE = 'test/scale/**/*.test.ts';

/** Run by `npm run test:long` alone. */
const LONG = 'test/long/**/*.test.ts';

/** A guard against hangs. A busy machine takes a minute for what a quiet one does in seconds. */
const HANG_MS = 180_000;

const OF_THE_SERVICE = {
  globalSetup: ['test/support/global-setup.ts'],
  testTimeout: HANG_MS,
  hookTimeout: HANG_MS,
  // A browser on a busy machine takes more than the usual second.
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            // Workers AI exists at Cloudflare only.
            remoteBindings: false,
            miniflare: {
              bindings: {
                BASE_URL: 'http://localhost:8787',
                MEDIA_SECRET: 'for-tests-only-0123',
                RATE_LIMITS: 'off',
              },
            },
          }),
        ],
        test: {
          name: 'workerd',
          testTimeout: HANG_MS,
          // One workerd for all files.
          isolate: false,
          maxWorkers: 3,
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: [MEDIA],
          globalSetup: ['test/support/model-server-setup.ts', 'test/support/site-files-setup.ts'],
        },
      },
      {
        test: {
          name: 'node',
          include: [
            ...['containers/**/*.test.ts', 'scripts/**/*.test.ts', 'test/*.test.ts'],
            ...[SCALE, MEDIA],
          ],
          testTimeout: HANG_MS,
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...OF_THE_SERVICE,
          name: 'system',
          include: ['test/*/**/*.test.ts'],
          exclude: [...LAST, LONG, SCALE],
          // More than there are cores: each waits for something much of the time.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...OF_THE_SERVICE,
          name: 'last',
          include: LAST,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...OF_THE_SERVICE,
          name: 'long',
          include: [LONG],
          testTimeout: 600_000,
          // Each file may load the machine, kill processes or fill a disk.
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
