/** Names the files that a tool takes. */
import type { FileInput, FileKind } from '../../core/define-tool.ts';

const NOUNS: Record<FileKind, [string, string]> = {
  pdf: ['a PDF', 'PDFs'],
  image: ['an image', 'images'],
  any: ['a file', 'files'],
};

/** Returns the files as a noun with its article, such as `a PDF`, or in the plural, such as `images or PDFs`. */
export function fileNoun({ kinds, extensions }: FileInput, isPlural: boolean): string {
  if (extensions) {
    const names = extensions.map((extension) => extension.toUpperCase()).join(' or ');
    return isPlural ? `${names} files` : `a ${names} file`;
  }
  return kinds.map((kind) => NOUNS[kind][isPlural ? 1 : 0]).join(' or ');
}
