/**
 * Reads the licenses of the Debian packages in an image's root folder. `node scripts/debian-licenses.ts media ROOT`
 * writes containers/media/debian-licenses.json. With `service ROOT`, it writes the packages that only the service's
 * image has. With --check, it reports packages and licenses that these files lack.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The licenses of each package, by package name. */
export type DebianLicenses = Record<string, string[]>;

const IMAGES = ['media', 'service'] as const;
type ImageName = (typeof IMAGES)[number];

export const recordOf = (image: ImageName): string => `containers/${image}/debian-licenses.json`;

/** Returns the recorded packages of the media worker's image, or those that only the service's image has. */
export const recorded = (image: ImageName): DebianLicenses =>
  JSON.parse(readFileSync(recordOf(image), 'utf8'));

/** We determined these licenses by reading the packages' copyright files, which describe them only in prose. */
const STATED: DebianLicenses = { libcrypt1: ['LGPL-2.1+'], 'xfonts-encodings': ['public-domain'] };

/** These phrases identify the license in copyright files without fields, such as those of the X libraries. */
const TEXTS: [RegExp, string][] = [
  [/Permission (is hereby granted|to use, copy, modify)/, 'MIT-like'],
  [/Redistribution and use in source and binary forms/, 'BSD-like'],
];

/** Returns the licenses of every installed package, as stated in the package's copyright file. */
export function debianLicenses(root: string): DebianLicenses {
  const names = installedPackages(readFileSync(join(root, 'var/lib/dpkg/status'), 'utf8'));
  return Object.fromEntries(
    names.map((name) => {
      const path = join(root, 'usr/share/doc', name, 'copyright');
      const licenses = existsSync(path) ? licensesIn(readFileSync(path, 'utf8')) : [];
      return [name, licenses.length > 0 ? licenses : (STATED[name] ?? [])];
    }),
  );
}

/** Returns the names of the installed packages in dpkg's status file, sorted. */
function installedPackages(status: string): string[] {
  return status
    .split('\n\n')
    .filter((entry) => /^Status: .* installed$/m.test(entry))
    .map((entry) => /^Package: (.+)$/m.exec(entry)![1]!)
    .sort();
}

/**
 * Returns the licenses that a copyright file names. Reads its `License` fields
 * (https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/). A file without fields is searched for
 * references to /usr/share/common-licenses, and then for known license texts.
 */
export function licensesIn(copyright: string): string[] {
  const fields = [...copyright.matchAll(/^License:[ \t]*(\S.*)$/gim)].flatMap(([, names]) =>
    names!.split(/,|\s(?:and\/or|and|or)\s/i),
  );
  const files = [...copyright.matchAll(/common-licenses\/([\w.-]*\w)/g)].map(([, name]) => name!);
  const texts = TEXTS.filter(([text]) => text.test(copyright)).map(([, name]) => name);
  const names = [fields, files, texts].find((found) => found.length > 0) ?? [];
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))].sort();
}

/** Lists the licenses in `found` that `recorded` lacks, as `PACKAGE: LICENSE`. */
export const newLicenses = (found: DebianLicenses, recorded: DebianLicenses): string[] =>
  Object.entries(found).flatMap(([name, licenses]) => {
    const known = recorded[name];
    if (!known) return [`${name}: ${licenses.join(', ') || 'no license found'}`];
    return licenses.filter((license) => !known.includes(license)).map((text) => `${name}: ${text}`);
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = process.argv.slice(2).filter((word) => word !== '--check');
  const [image, root, ...more] = words as [ImageName, string, ...string[]];
  if (!IMAGES.includes(image) || !root || more.length > 0) {
    throw new Error('Usage: node scripts/debian-licenses.ts [--check] media|service ROOT');
  }
  const found = debianLicenses(root);
  const media = image === 'service' ? recorded('media') : {};
  if (process.argv.includes('--check')) {
    const findings = newLicenses(found, { ...recorded(image), ...media });
    for (const finding of findings) console.log(`Not in ${recordOf(image)}: ${finding}`);
    process.exitCode = findings.length > 0 ? 1 : 0;
  } else {
    const besides = Object.entries(found).filter(([name]) => !(name in media));
    writeFileSync(recordOf(image), `${JSON.stringify(Object.fromEntries(besides), null, 2)}\n`);
  }
}
