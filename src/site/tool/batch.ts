/** Decides whether the page of a tool runs the tool on several files, once for each. */
import type { FileInput } from '../../core/define-tool.ts';

export const isBatch = ({ max, isStored, uploadOnly }: FileInput): boolean =>
  max === 1 && !isStored && !uploadOnly;
