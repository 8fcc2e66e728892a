import { describe, expect, it } from 'vitest';
import { app } from './app.ts';
import { isReservedPath } from './core/reserved-paths.ts';

describe('the app', () => {
  it('has no path that a short link could use', () => {
    const segments = app.routes
      .map(({ path }) => path.split('/')[1] ?? '')
      .filter((segment) => /^[A-Za-z0-9_-]{3,32}$/.test(segment));
    expect(segments).toContain('health');
    expect(segments.filter((segment) => !isReservedPath(segment))).toEqual([]);
  });
});
