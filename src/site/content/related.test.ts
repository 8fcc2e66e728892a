import { describe, expect, it } from 'vitest';
import { relatedTo } from './related.ts';

const listed = (section: string, ...names: string[]) =>
  names.map((name) => ({
    path: `/${section}/${name}`,
    title: name,
    description: '',
    tags: [],
    url: '',
    section: 'Blog' as const,
    publishedAt: '2026-11-21',
    updatedAt: '2026-11-21',
  }));
const pathsOf = ({ documents }: ReturnType<typeof relatedTo>) => documents.map(({ path }) => path);

describe('related documents', () => {
  it('are the next ones in the section, then the first ones', () => {
    const posts = listed('blog', 'a', 'b', 'c', 'd', 'e');
    expect(pathsOf(relatedTo('/blog/d', posts))).toEqual(['/blog/e', '/blog/a', '/blog/b']);
    expect(relatedTo('/blog/d', posts).group).toBeUndefined();
    expect(relatedTo('/blog/a', listed('blog', 'a')).documents).toEqual([]);
  });

  it('belong to the same group for a how-to', () => {
    const howTos = listed(
      'how-to',
      'use-your-own-model',
      'turn-an-svg-into-a-png',
      'run-the-service-on-your-laptop',
    );
    const related = relatedTo('/how-to/use-your-own-model', howTos);
    expect(related.group).toBe('Your own service');
    expect(pathsOf(related)).toEqual(['/how-to/run-the-service-on-your-laptop']);
  });
});
