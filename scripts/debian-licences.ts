/**
 * Reads the licences of the Debian packages in an image's root folder. `node scripts/debian-licences.ts media ROOT`
 * writes containers/media/debian-licences.json; `service ROOT` writes the additional packages of the service's image.
 * With --check it reports packages and licences that these files lack.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The names of licences by the name of the package. */
export type DebianLicences = Record<string, string[]>;

const IMAGES = ['media', 'service'] as const;
type ImageName = (typeof IMAGES)[number];

export const recordOf = (image: ImageName): string => `containers/${image}/debian-licences.json`;

/** The Debian packages of the media worker's image, or the additional ones of the service's image. */
export const recorded = (image: ImageName): DebianLicences =>
  JSON.parse(readFileSync(recordOf(image), 'utf8'));

/** Licences that we determined by reading, because the package's copyright file only describes them in prose. */
const STATED: DebianLicences = { libcrypt1: ['LGPL-2.1+'], 'xfonts-encodings': ['public-domain'] };

/** Phrases that identify the licence in copyright files without fields, such as those of the X libraries. */
const TEXTS: [RegExp, string][] = [
  [/Permission (is hereby granted|to use, copy, modify)/, 'MIT-like'],
  [/Redistribution and use in source and binary forms/, 'BSD-like'],
];

/** The licences of every installed package, as its copyright file names them. */
export function debianLicences(root: string): DebianLicences {
  const names = installedPackages(readFileSync(join(root, 'var/lib/dpkg/status'), 'utf8'));
  return Object.fromEntries(
    names.map((name) => {
      const path = join(root, 'usr/share/doc', name, 'copyright');
      const licences = existsSync(path) ? licencesIn(readFileSync(path, 'utf8')) : [];
      return [name, licences.length > 0 ? licences : (STATED[name] ?? [])];
    }),
  );
}

/** The names of the installed packages in dpkg's status file, in order. */
function installedPackages(status: string): string[] {
  return status
    .split('\n\n')
    .filter((entry) => /^Status: .* installed$/m.test(entry))
    .map((entry) => /^Package: (.+)$/m.exec(entry)![1]!)
    .sort();
}

/**
 * The licences that a copyright file names: its `License` fields, or the files in /usr/share/common-licenses if it has
 * no fields (https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/), or else the text of a licence in it.
 */
export function licencesIn(copyright: string): string[] {
  const fields = [...copyright.matchAll(/^License:[ \t]*(\S.*)$/gim)].flatMap(([, names]) =>
    names!.split(/,|\s(?:and\/or|and|or)\s/i),
  );
  const files = [...copyright.matchAll(/common-licenses\/([\w.-]*\w)/g)].map(([, name]) => name!);
  const texts = TEXTS.filter(([text]) => text.test(copyright)).map(([, name]) => name);
  const names = [fields, files, texts].find((found) => found.length > 0) ?? [];
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))].sort();
}

/** Lists the licences in `found` that `recorded` lacks, as `PACKAGE: LICENCE`. */
export const newLicences = (found: DebianLicences, recorded: DebianLicences): string[] =>
  Object.entries(found).flatMap(([name, licences]) => {
    const known = recorded[name];
    if (!known) return [`${name}: ${licences.join(', ') || 'no licence found'}`];
    return licences.filter((licence) => !known.includes(licence)).map((text) => `${name}: ${text}`);
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = process.argv.slice(2).filter((word) => word !== '--check');
  const [image, root, ...more] = words as [ImageName, string, ...string[]];
  if (!IMAGES.includes(image) || !root || more.length > 0) {
    throw new Error('Usage: node scripts/debian-licences.ts [--check] media|service ROOT');
  }
  const found = debianLicences(root);
  const media = image === 'service' ? recorded('media') : {};
  if (process.argv.includes('--check')) {
    const findings = newLicences(found, { ...recorded(image), ...media });
    for (const finding of findings) console.log(`Not in ${recordOf(image)}: ${finding}`);
    process.exitCode = findings.length > 0 ? 1 : 0;
  } else {
    const besides = Object.entries(found).filter(([name]) => !(name in media));
    writeFileSync(recordOf(image), `${JSON.stringify(Object.fromEntries(besides), null, 2)}\n`);
  }
}
