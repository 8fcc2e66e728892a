/**
 * Writes the generated files of the client and the command before tests that load their sources.
 */
export { writeClientFiles as default } from '../../scripts/client-files.ts';
