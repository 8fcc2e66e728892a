/**
 * Packs the client and the command as a tarball that npm installs, and prints its path. Publishes nothing. The folder is
 * dist by default: npm run pack -- FOLDER
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { writePackage, writeTypes } from './package.ts';

const target = process.argv[2] ?? 'dist';
const folder = join(target, 'package');
await writePackage(folder);
writeTypes(folder);
const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
  cwd: folder,
  encoding: 'utf8',
});
console.log(join(target, packed.trim()));
