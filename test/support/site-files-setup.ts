/**
 * Generates the site's files and documents before tests that run the Worker's sources: the Worker imports the list of
 * the site's files and reads the documents.
 */
import { writeContentFiles } from '../../scripts/content/content-files.ts';
import { writeSiteFiles } from '../../scripts/static-files.ts';

export default function writeFiles(): void {
  writeSiteFiles();
  writeContentFiles();
}
