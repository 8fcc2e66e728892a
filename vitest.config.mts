/**
 * The test projects: unit tests in workerd with its real bindings, unit tests in Node, then system tests over HTTP.
 * Tests that load the machine or measure memory run after them, because others would disturb them.
 */
import { globSync, readFileSync } from 'node:fs';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENCE_MS } from './test/support/patience.ts';

const LAST = [
  'test/load/**/*.test.ts',
  'test/media/**/*.test.ts',
  // Stops a service's programs, and counts its stored bytes.
  'test/rest/abort.test.ts',
];

/** Counts the stored bytes of a service that nothing else uses meanwhile. */
const UPLOADS = 'test/rest/multipart.test.ts';

/**
 * The longest files start first, so that nothing waits for them at the end. A fresh clone has no recorded durations.
 */
const LONGEST = [
  'test/site/results.test.ts',
  'test/content/documents.test.ts',
  'test/web/screenshot-url.test.ts',
  'test/site/chain-page.test.ts',
  'containers/media/operations/ocr/extract-text.test.ts',
  'test/site/every-tool.test.ts',
  'containers/media/operations/video/compress.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/site/accessibility.test.ts',
  'test/site/runs-here.test.ts',
  'test/site/browser-tools.test.ts',
  'containers/media/operations/pdf/compress-images.test.ts',
  'test/site/pages.test.ts',
  'test/contract/tools.test.ts',
  'test/site/tool-pages.test.ts',
  'containers/media/operations/pdf/hostile.test.ts',
  'containers/media/operations/ocr/searchable-pdf.test.ts',
  'test/rest/reference-examples.test.ts',
  'test/rest/upload-file.test.ts',
  UPLOADS,
  'test/web/rebinding.test.ts',
  'test/mcp/agent-endpoint.test.ts',
  'test/site/states.test.ts',
  'test/start/start.test.ts',
  'test/site/api-reference.test.ts',
  'test/site/search.test.ts',
  'test/client/package.test.ts',
  'test/start/killed-service.test.ts',
  'test/site/developers.test.ts',
  'containers/media/operations/pdf/compress-strong.test.ts',
  'test/mcp/limits.test.ts',
  'test/site/usage.test.ts',
  'test/web/foreign-files.test.ts',
  'containers/media/server-end.test.ts',
  'test/web/fetch-page-metadata.test.ts',
  'test/rest/large-calls.test.ts',
  'test/web/forbidden-side.test.ts',
  'containers/media/operations/image/process/image-pool.test.ts',
  'scripts/deployment/deploy.test.ts',
  'test/mcp/results.test.ts',
  'test/rest/limits.test.ts',
  'test/site/account-abuse.test.ts',
  'src/adapters/models.test.ts',
  'test/web/confinement.test.ts',
  'containers/media/server.test.ts',
  'scripts/proxy.test.ts',
  'test/site/github.test.ts',
  'src/browser-faults.test.ts',
  'src/adapters/r2-files.test.ts',
  'test/rest/free-refusals.test.ts',
  'test/mcp/conformance.test.ts',
  'containers/media/operations/ocr/searchable-malformed.test.ts',
  'containers/media/operations/pdf/images-to-pdf.test.ts',
  'test/site/first-frame.test.ts',
  'containers/media/operations/pdf/images-to-pdf-png.test.ts',
  'containers/media/operations/image/split-panels.test.ts',
  'containers/media/run-program.test.ts',
  'test/rest/full-disk.test.ts',
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

/**
 * Test files that change their process, or list its child processes, get their own. All others share the modules and
 * pools of a worker.
 */
const APART = globSync('{containers,scripts,src/command,test}/**/*.test.ts').filter((path) =>
  /\bvi\.(mock|stubEnv|stubGlobal|useFakeTimers)\(|process\.env\.\w+ = |'--ppid'/.test(
    readFileSync(path, 'utf8'),
  ),
);

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
  'test/contract/tools.test.ts',
  'test/mcp/agent-endpoint.test.ts',
  'test/mcp/inspector.test.ts',
  'containers/media/operations/ocr/extract-text.test.ts',
  'containers/media/operations/ocr/searchable-pdf.test.ts',
  'containers/media/operations/video/compress.test.ts',
];

/** A guard against hangs of a whole test. */
const HANG_MS = 600_000;

/** More than the cores, because many tests wait. Projects that run together must have the same number. */
const WORKERS = 4;

/** Vitest's default of a second is too short for a busy machine. */
const POLL = { poll: { timeout: PATIENCE_MS } };

const PATIENT = { testTimeout: HANG_MS, hookTimeout: HANG_MS, expect: POLL };

const IN_NODE = {
  ...PATIENT,
  globalSetup: ['test/support/client-files-setup.ts', 'test/support/test-folder-setup.ts'],
  maxWorkers: WORKERS,
};

const OF_THE_SERVICE = {
  ...PATIENT,
  globalSetup: ['test/support/client-files-setup.ts', 'test/support/global-setup.ts'],
  setupFiles: ['test/support/patient-fetch-setup.ts'],
  isolate: false,
  // The last resort. `npm test` prints the names of tests that needed it.
  retry: 1,
  maxWorkers: WORKERS,
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
          ...PATIENT,
          // All files share one workerd.
          isolate: false,
          maxWorkers: WORKERS,
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
          exclude: APART,
          ...IN_NODE,
          isolate: false,
        },
      },
      {
        test: {
          name: 'apart',
          include: APART,
          exclude: [...LAST, LONG, IMAGE],
          ...IN_NODE,
        },
      },
      {
        test: {
          ...OF_THE_SERVICE,
          name: 'system',
          include: ['test/*/**/*.test.ts'],
          exclude: [...LAST, UPLOADS, LONG, IMAGE, SCALE, ...APART],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...OF_THE_SERVICE,
          name: 'uploads',
          include: [UPLOADS],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'last',
          include: LAST,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...PATIENT,
          globalSetup: ['test/support/test-folder-setup.ts', 'test/support/global-setup.ts'],
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
