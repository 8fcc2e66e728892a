/** Three kinds of test: units in workerd with its real bindings, units in Node, and the whole service over HTTP. */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
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
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}'],
          globalSetup: ['test/support/model-server-setup.ts'],
        },
      },
      {
        test: {
          name: 'node',
          include: ['containers/**/*.test.ts', 'scripts/**/*.test.ts', 'test/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/*/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 60_000,
          // One service, one measuring of its memory at a time.
          fileParallelism: false,
        },
      },
    ],
  },
});
