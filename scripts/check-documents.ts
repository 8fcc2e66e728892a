/** Checks that every document can be parsed. Prints an error for the first malformed document. */
import { readDocuments, renamedPaths } from './content/sources.ts';

try {
  renamedPaths(readDocuments());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
