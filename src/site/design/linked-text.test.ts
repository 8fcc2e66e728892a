import { describe, expect, it } from 'vitest';
import { linkedText } from './linked-text.ts';

const marked = (message: string) =>
  linkedText(message)
    .map(({ text, href }) => (href ? `[${text}](${href})` : text))
    .join('');

describe('linkedText', () => {
  it.each([
    ['Wait. Sign in at /developers.', 'Wait. Sign in at [/developers](/developers).'],
    [
      'Create one at /developers, or see /contact.',
      'Create one at [/developers](/developers), or see [/contact](/contact).',
    ],
    ['12 left. Sign in for 60 a minute.', '12 left. [Sign in](/developers) for 60 a minute.'],
    ['Use [Extract text](/tools/x_y).', 'Use [Extract text](/tools/x_y).'],
    ['Sign in to see more.', '[Sign in](/developers) to see more.'],
  ])('links the pages in %j', (message, linked) => {
    expect(marked(message)).toBe(linked);
  });

  it.each([
    'No page here.',
    'https://example.com/developers',
    'See /developers/none',
    'See [it](https://example.com)',
  ])('links nothing in %j', (message) => {
    expect(marked(message)).toBe(message);
  });
});
