/**
 * The test projects: unit tests in workerd with its real bindings, unit tests in Node, and system tests over HTTP.
 * Tests that load the machine or measure something run last, because others would disturb them.
 */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LAST = [
  'test/load/**/*.test.ts',
  'test/media/**/*.test.ts',
  // The only one of these that uses the shared service.
  'test/rest/multipart.test.ts',
  // Starts its own service and measures within a second.
  'test/rest/abort.test.ts',
];

/**
 * The longest files start first, so that nothing waits for them at the end. A fresh clone has no recorded durations.
 */
const LONGEST = [
  'test/rest/multipart.test.ts',
  'containers/media/operations/video/compress.test.ts',
  'containers/media/operations/ocr/extract-text.test.ts',
  'containers/media/operations/pdf/hostile.test.ts',
  'containers/media/server-end.test.ts',
  'test/web/screenshot-url.test.ts',
  'test/site/every-tool.test.ts',
  'test/site/accessibility.test.ts',
  'test/content/documents.test.ts',
  'test/rest/limits.test.ts',
  'test/site/browser-tools.test.ts',
  'test/rest/upload-file.test.ts',
  'test/site/states.test.ts',
  'test/site/developers.test.ts',
  'test/rest/jobs.test.ts',
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

/** The command, which runs in Node. */
const COMMAND = 'src/command/**/*.test.ts';

/** Simulations, without a service. */
const SCALE = 'test/scale/**/*.test.ts';

/** Run by `npm run test:image` alone. */
const IMAGE = 'test/image/**/*.test.ts';

/** Run by `npm run test:long` alone. */
const LONG = 'test/long/**/*.test.ts';

/** `npm test` runs some of their cases, `npm run test:long` all (test/support/matrix.ts). */
const MATRICES = [
  'test/qr-scan.test.ts',
  'test/site/accessibility.test.ts',
  'test/site/every-tool.test.ts',
  'test/web/screenshot-url.test.ts',
  'containers/media/operations/ocr/extract-text.test.ts',
  'containers/media/operations/video/compress.test.ts',
];

/** A guard against hangs. A busy machine takes a minute for what an idle one does in seconds. */
const HANG_MS = 300_000;

/** Vitest's default of a second is too short for a busy machine. */
const POLL = { poll: { timeout: 120_000 } };

const OF_THE_SERVICE = {
  globalSetup: ['test/support/global-setup.ts'],
  testTimeout: HANG_MS,
  hookTimeout: HANG_MS,
  expect: POLL,
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
          expect: POLL,
          hookTimeout: HANG_MS,
          // All files share one workerd.
          isolate: false,
          maxWorkers: 3,
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: [MEDIA, COMMAND],
          globalSetup: ['test/support/model-server-setup.ts', 'test/support/site-files-setup.ts'],
        },
      },
      {
        test: {
          name: 'node',
          include: [
            ...['containers/**/*.test.ts', 'scripts/**/*.test.ts', 'test/*.test.ts'],
            ...[SCALE, MEDIA, COMMAND],
          ],
          testTimeout: HANG_MS,
          hookTimeout: HANG_MS,
          expect: POLL,
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...OF_THE_SERVICE,
          name: 'system',
          include: ['test/*/**/*.test.ts'],
          exclude: [...LAST, LONG, IMAGE, SCALE],
          // More workers than cores, because system tests mostly wait.
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
          include: [LONG, ...MATRICES],
          env: { WHOLE_MATRIX: '1' },
          testTimeout: 600_000,
          // Each file may load the machine, kill processes or fill a disk.
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...OF_THE_SERVICE,
          name: 'image',
          // Every tool over every surface, in the image of the service.
          include: [IMAGE, 'test/contract/tools.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
