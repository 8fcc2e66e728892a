/**
 * Reads the file properties that the media worker reports with a result. A worker from an earlier release reports fewer
 * properties.
 */
import type { FileFacts } from '../core/tool-output.ts';

type Meta = Record<string, unknown>;

/** Returns the reported numbers with these names. */
function numbers<N extends keyof FileFacts>(meta: Meta, names: readonly N[]): Pick<FileFacts, N> {
  const known = names.filter((name) => Number.isFinite(meta[name]));
  return Object.fromEntries(known.map((name) => [name, meta[name]])) as Pick<FileFacts, N>;
}

export const pagesOf = (meta: Meta) => numbers(meta, ['pages']);
export const sizeOf = (meta: Meta) => numbers(meta, ['width', 'height']);
export const videoFacts = (meta: Meta) => numbers(meta, ['width', 'height', 'durationMs']);
