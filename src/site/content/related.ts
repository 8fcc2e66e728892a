/** Documents related to a document: those of its group for a how-to, otherwise of its section. */
import type { ListedDocument } from '../../core/content.ts';
import { HOW_TO_GROUPS } from './how-to-groups.ts';

export interface Related {
  /** The group of how-tos; undefined for a whole section. */
  group: string | undefined;
  documents: ListedDocument[];
}

const MOST = 3;

/**
 * Returns the documents that follow `path`, continuing with the first after the last. `listed`: the section of the
 * document.
 */
export function relatedTo(path: string, listed: readonly ListedDocument[]): Related {
  const isNamed = (names: readonly string[]) => names.some((name) => path === `/how-to/${name}`);
  const [group, names] = HOW_TO_GROUPS.find(([, of]) => isNamed(of)) ?? [];
  const series = names
    ? names.flatMap((name) => listed.filter((other) => other.path === `/how-to/${name}`))
    : [...listed];
  const at = series.findIndex((other) => other.path === path);
  const documents = [...series.slice(at + 1), ...series.slice(0, at)].slice(0, MOST);
  return { group, documents };
}
