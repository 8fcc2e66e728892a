/** Writes the generated files. With --check, lists the outdated ones instead. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withEnvironmentBindings } from './deployment/environment-bindings.ts';
import { imageManifests } from './image-packages.ts';
import { registrySource } from './tool-registry.ts';

const REGISTRY = 'src/tools/registry.ts';
const isCheck = process.argv.includes('--check');
let stale = 0;

function generate(path: string, wanted: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted) return;
  stale += 1;
  if (!isCheck) writeFileSync(path, wanted);
  console.log(isCheck ? `${path} is out of date. Run: npm run gen` : `${path} written`);
}

// The registry is written first, because the other generators import it.
generate(REGISTRY, registrySource());
const { serverJsonTemplate } = await import('../src/catalogue/discovery.ts');
const { DOCUMENTS, withGeneratedParts } = await import('./generated-parts.ts');
const { thirdPartyDocument } = await import('./third-party.ts');
const { referenceDocument } = await import('./reference-document.ts');
const { writeClientFiles } = await import('./client-files.ts');

generate('docs/reference.md', referenceDocument());
generate('THIRD_PARTY.md', thirdPartyDocument());
generate('wrangler.toml', withEnvironmentBindings(readFileSync('wrangler.toml', 'utf8')));
generate('server.json', `${JSON.stringify(serverJsonTemplate(), null, 2)}\n`);
for (const [path, text] of Object.entries(imageManifests())) generate(path, text);
for (const path of DOCUMENTS) generate(path, withGeneratedParts(path, readFileSync(path, 'utf8')));
// These files are gitignored, so --check cannot compare them.
if (!isCheck) writeClientFiles();

process.exit(isCheck && stale > 0 ? 1 : 0);
