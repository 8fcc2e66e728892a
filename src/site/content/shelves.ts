/** Defines the sections of written content with their paths, titles and summaries. */
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
    summary: 'What we built, what we measured, and why.',
  },
  {
    path: SECTION_PATHS['How-to'],
    section: 'How-to',
    title: 'How-to',
    summary: 'One task per page, with steps for your browser and commands for a script.',
  },
  {
    path: SECTION_PATHS.Comparisons,
    section: 'Comparisons',
    title: 'Comparisons',
    summary: 'Who should use this service, and who should use something else.',
  },
];
