/** Two kinds of unit test: in workerd with its real bindings, and in Node for the media worker. */
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: { BASE_URL: 'http://localhost:8787' } },
          }),
        ],
        test: { name: 'workerd', include: ['src/**/*.test.{ts,tsx}'] },
      },
      {
        test: {
          name: 'node',
          include: ['containers/**/*.test.ts', 'test/*.test.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
