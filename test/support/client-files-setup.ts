/** Generates the files of the client and the command before the tests that import them. */
export { writeClientFiles as default } from '../../scripts/client-files.ts';
