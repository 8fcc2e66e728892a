/**
 * What `npm pack` runs, so that its tarball contains the client and the command and no code of the service. Before it
 * (`pack.ts before`), both are built and package.json becomes the manifest of the package. After it (`pack.ts after`),
 * package.json is the service's again.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { writeClientFiles } from './client-files.ts';
import { packageManifest, writePackage, writeTypes } from './package.ts';

const SERVICE_MANIFEST = 'dist/package.json.of-the-service';

function restore(): void {
  if (existsSync(SERVICE_MANIFEST)) renameSync(SERVICE_MANIFEST, 'package.json');
}

// An interrupted npm pack left the manifest of the package.
restore();
if (process.argv[2] === 'before') {
  writeClientFiles();
  await writePackage('.');
  writeTypes('.');
  const manifest = readFileSync('package.json', 'utf8');
  writeFileSync(SERVICE_MANIFEST, manifest);
  writeFileSync('package.json', packageManifest(manifest));
}
