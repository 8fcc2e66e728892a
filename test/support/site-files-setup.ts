/** Writes the site's files, whose list the Worker imports, before tests that load its sources. */
export { writeSiteFiles as default } from '../../scripts/static-files.ts';
