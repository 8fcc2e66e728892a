/** Decides whether a tool's page can run the tool on several files, once for each. */
import type { FileInput } from '../../core/define-tool.ts';

export const isBatch = ({ max, isStored, uploadOnly }: FileInput): boolean =>
  max === 1 && !isStored && !uploadOnly;
