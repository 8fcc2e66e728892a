/** The sections of written content: their paths, titles and summaries. */
import { SECTION_PATHS, type Section } from '../../core/content.ts';

export interface Shelf {
  path: string;
  section: Section;
  title: string;
  summary: string;
}

export const SHELVES: readonly Shelf[] = [
  {
    path: SECTION_PATHS.Blog,
    section: 'Blog',
    title: 'Blog',
    summary: 'What was built, what was measured, and why.',
  },
  {
    path: SECTION_PATHS['How-to'],
    section: 'How-to',
    title: 'How-to',
    summary: 'One task each, with commands that were run.',
  },
  {
    path: SECTION_PATHS.Comparisons,
    section: 'Comparisons',
    title: 'Comparisons',
    summary: 'This service beside other ways to do the same, with their strengths.',
  },
];
