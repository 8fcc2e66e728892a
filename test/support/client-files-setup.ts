/** Generates the client and command files before the tests that import them run. */
export { writeClientFiles as default } from '../../scripts/client-files.ts';
