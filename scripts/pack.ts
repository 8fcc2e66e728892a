/**
 * Prepares the tarball for `npm pack`, which contains the client and the command but none of the service's code.
 * `pack.ts before` builds both and replaces package.json with the package's manifest. `pack.ts after` restores
 * package.json.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { writeClientFiles } from './client-files.ts';
import { packageManifest, writePackage, writeTypes } from './package.ts';

const SERVICE_MANIFEST = 'dist/package.json.of-the-service';

function restore(): void {
  if (existsSync(SERVICE_MANIFEST)) renameSync(SERVICE_MANIFEST, 'package.json');
}

// An interrupted `npm pack` may have left the package's manifest in place.
restore();
if (process.argv[2] === 'before') {
  writeClientFiles();
  await writePackage('.');
  writeTypes('.');
  const manifest = readFileSync('package.json', 'utf8');
  writeFileSync(SERVICE_MANIFEST, manifest);
  writeFileSync('package.json', packageManifest(manifest));
}
