/**
 * Finds documents related to a document. Related how-tos and comparisons are in the same group, and other related
 * documents are in the same section.
 */
import type { ListedDocument } from '../../core/content.ts';
import { COMPARISON_GROUPS } from './comparison-groups.ts';
import { HOW_TO_GROUPS } from './how-to-groups.ts';

export interface Related {
  /** The group of how-tos or comparisons. Undefined if the documents come from a whole section. */
  group: string | undefined;
  documents: ListedDocument[];
}

const MAX_DOCUMENTS = 3;

const GROUPS = [
  ...HOW_TO_GROUPS.map(([heading, names]) => [heading, names.map(toPath('/how-to'))] as const),
  ...COMPARISON_GROUPS.map(([heading, names]) => [heading, names.map(toPath('/compare'))] as const),
];

function toPath(shelf: string) {
  return (name: string) => `${shelf}/${name}`;
}

/**
 * Returns up to three documents that follow `path`, wrapping around at the end of the list. `listed` are the documents
 * of the section.
 */
export function relatedTo(path: string, listed: readonly ListedDocument[]): Related {
  const [group, paths] = GROUPS.find(([, of]) => of.includes(path)) ?? [];
  const series = paths
    ? paths.flatMap((of) => listed.filter((other) => other.path === of))
    : [...listed];
  const at = series.findIndex((other) => other.path === path);
  const documents = [...series.slice(at + 1), ...series.slice(0, at)].slice(0, MAX_DOCUMENTS);
  return { group, documents };
}
