/** Writes the generated documents; with --check it only reports stale ones. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { serverJsonTemplate } from '../src/catalogue/discovery.ts';
import { referenceDocument } from './reference-document.ts';

const FILES: Record<string, () => string> = {
  'docs/reference.md': referenceDocument,
  'server.json': () => `${JSON.stringify(serverJsonTemplate(), null, 2)}\n`,
};

const check = process.argv.includes('--check');
const stale = Object.entries(FILES).filter(([path, make]) => {
  const wanted = make();
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted) return false;
  if (!check) writeFileSync(path, wanted);
  return true;
});
for (const [path] of stale) {
  console.log(check ? `${path} is out of date. Run: npm run gen` : `${path} written`);
}
process.exit(check && stale.length > 0 ? 1 : 0);
