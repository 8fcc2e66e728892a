import { describe, expect, it } from 'vitest';
import { hasLostObjects } from './lost-objects.ts';

const lost = (text: string) => hasLostObjects(new TextEncoder().encode(text));

describe('lost objects', () => {
  it('are referenced but not defined', () => {
    expect(lost('1 0 obj << /Font 2 0 R >> endobj 2 0 obj << >> endobj')).toBe(false);
    expect(lost('1 0 obj << /Font 2 0 R >> endobj 12 0 obj << >> endobj')).toBe(true);
  });

  it('are not searched in stream data, truncated or complete', () => {
    expect(lost('1 0 obj << >>\nstream\n9 0 R\nendstream endobj')).toBe(false);
    expect(lost('1 0 obj << >>\nstream\n9 0 R')).toBe(false);
    expect(lost('1 0 obj << /A 2 0 R >>\nstream\n9 0 Rendstream endobj 2 0 obj 0 endobj')).toBe(
      false,
    );
  });
});
