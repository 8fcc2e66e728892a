/** Tests how the licenses of Debian packages are read, and that unknown licenses are rejected. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debianLicenses, licensesIn, newLicenses } from './debian-licenses.ts';
import { familiesOf } from './license-families.ts';
import { unknownLicenses } from './third-party.ts';

describe('debianLicenses', () => {
  it('reads the installed packages of a root folder', () => {
    const root = mkdtempSync(join(tmpdir(), 'tools-licenses-'));
    mkdirSync(join(root, 'var/lib/dpkg'), { recursive: true });
    mkdirSync(join(root, 'usr/share/doc/qpdf'), { recursive: true });
    writeFileSync(
      join(root, 'var/lib/dpkg/status'),
      'Package: qpdf\nStatus: install ok installed\n\nPackage: old\nStatus: deinstall ok config-files\n',
    );
    writeFileSync(join(root, 'usr/share/doc/qpdf/copyright'), 'Files: *\nLicense: Apache-2.0\n');
    expect(debianLicenses(root)).toEqual({ qpdf: ['Apache-2.0'] });
    rmSync(root, { recursive: true });
  });
});

describe('licensesIn', () => {
  it('reads the license fields, including alternatives', () => {
    expect(licensesIn('License: GPL-2+ or LGPL-2.1+\n text\nLicense: Expat\n')).toEqual([
      'Expat',
      'GPL-2+',
      'LGPL-2.1+',
    ]);
  });

  it('reads the common licenses named in an older file', () => {
    expect(licensesIn('See /usr/share/common-licenses/GPL-3.')).toEqual(['GPL-3']);
  });
});

describe('a new license', () => {
  const known = { ffmpeg: ['GPL-2+'] };

  it.each([
    [{ ffmpeg: ['GPL-2+', 'SSPL-1'] }, ['ffmpeg: SSPL-1']],
    [{ ffmpeg: ['GPL-2+'], x264: ['GPL-2+'] }, ['x264: GPL-2+']],
    [{ x264: [] }, ['x264: no license found']],
    [{ ffmpeg: [] }, []],
  ])('of an image is reported: %j', (found, findings) => {
    expect(newLicenses(found, known)).toEqual(findings);
  });

  it('belongs to no family, and neither does an expression that requires it', () => {
    expect(familiesOf('SSPL-1.0')).toEqual([]);
    expect(familiesOf('MIT AND SSPL-1.0')).toEqual([]);
    expect(familiesOf('(MIT OR LGPL-3.0)').map(({ name }) => name)).toEqual(['LGPL', 'Permissive']);
  });

  it('fails npm run gen, like a package without a license or without a record', () => {
    const findings = unknownLicenses({ ffmpeg: ['SSPL-1'], qpdf: [] });
    expect(findings).toContain('SSPL-1: ffmpeg (Debian)');
    expect(findings).toContain('none found: qpdf (Debian)');
    expect(findings.join('\n')).toContain('tesseract-ocr is not in');
  });
});
