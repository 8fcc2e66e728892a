/** Prints the section of CHANGELOG.md for a release: `node scripts/release-notes.ts v2.1.0`. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Returns the changelog's section for this tag, without its heading. Throws if package.json has a different version, or
 * if the changelog lacks the section.
 */
export function releaseNotes(tag: string, changelog: string, packageVersion: string): string {
  const version = tag.replace(/^v/, '');
  if (version !== packageVersion) {
    throw new Error(`The tag is ${tag}, but package.json has version ${packageVersion}.`);
  }
  const section = changelog.split(/^## /m).find((part) => part.startsWith(`${version} `));
  if (!section) throw new Error(`CHANGELOG.md has no section "## ${version} (DATE)".`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  process.stdout.write(releaseNotes(process.argv[2] ?? '', changelog, version));
}
