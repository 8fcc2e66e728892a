/**
 * Generates the site's files before tests that load the Worker's sources, because the Worker imports the list of these
 * files.
 */
export { writeSiteFiles as default } from '../../scripts/static-files.ts';
