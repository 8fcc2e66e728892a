import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baseUrl } from '../support/service.ts';

const MB = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), 'tools-upload-'));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
const ffmpeg = (...args: string[]) => run('ffmpeg', '-v', 'error', '-y', ...args);

/** Uploads a file with curl, whose `-F` option can declare a content type. */
function curl(path: string, type?: string) {
  const file = `file=@${at(path)}${type ? `;type=${type}` : ''}`;
  const url = `${baseUrl}/api/v1/tools/execute`;
  const output = run(
    'curl',
    '-s',
    '-w',
    '\n%{http_code}',
    '-F',
    'tool=upload_file',
    '-F',
    file,
    url,
  );
  const text = output.toString();
  const end = text.lastIndexOf('\n');
  return { status: Number(text.slice(end + 1)), json: JSON.parse(text.slice(0, end)) };
}

/** Makes a ZIP with the entries of an Office document. */
function office(name: string, main: string): void {
  const root = at(`${name}-parts`);
  const [directory] = main.split('/');
  mkdirSync(join(root, '_rels'), { recursive: true });
  mkdirSync(join(root, directory!), { recursive: true });
  const kind = main.startsWith('word')
    ? 'wordprocessingml.document.main'
    : main.startsWith('xl')
      ? 'spreadsheetml.sheet.main'
      : 'presentationml.presentation.main';
  writeFileSync(
    join(root, '[Content_Types].xml'),
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      `<Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}+xml"/></Types>`,
  );
  writeFileSync(join(root, '_rels', '.rels'), '<Relationships/>');
  writeFileSync(join(root, main), '<document/>');
  run(
    'sh',
    '-c',
    `cd '${root}' && zip -q -X -r ../${name} '[Content_Types].xml' _rels ${directory}`,
  );
}

const OOXML = 'application/vnd.openxmlformats-officedocument';

/** Each row contains a file name, a correct declared type, and the served type if it differs. */
const KINDS: [name: string, declared: string, served?: string][] = [
  ['a.png', 'image/png'],
  ['a.jpg', 'image/jpeg'],
  ['a.gif', 'image/gif'],
  ['a.webp', 'image/webp'],
  ['a.bmp', 'image/bmp'],
  ['a.tiff', 'image/tiff'],
  ['a.avif', 'image/avif'],
  ['a.mp4', 'video/mp4'],
  ['a.mov', 'video/quicktime'],
  ['a.webm', 'video/webm'],
  ['a.mkv', 'video/x-matroska', 'video/matroska'],
  ['a.avi', 'video/x-msvideo', 'video/vnd.avi'],
  ['a.mp3', 'audio/mpeg'],
  ['cover.mp3', 'audio/mpeg'],
  ['a.wav', 'audio/wav'],
  ['a.ogg', 'audio/ogg'],
  ['a.opus', 'audio/ogg'],
  ['a.flac', 'audio/flac'],
  ['a.m4a', 'audio/mp4', 'audio/x-m4a'],
  ['a.aac', 'audio/aac'],
  ['a.pdf', 'application/pdf'],
  ['a.zip', 'application/zip'],
  ['large-entries.zip', 'application/zip'],
  ['a.tar', 'application/x-tar'],
  ['a.tar.gz', 'application/gzip'],
  ['a.txt.gz', 'application/gzip'],
  ['a.tar.bz2', 'application/x-bzip2'],
  ['a.tar.xz', 'application/x-xz'],
  ['a.zst', 'application/zstd'],
  ['a.docx', `${OOXML}.wordprocessingml.document`],
  ['a.xlsx', `${OOXML}.spreadsheetml.sheet`],
  ['a.pptx', `${OOXML}.presentationml.presentation`],
  ['a.rtf', 'application/rtf'],
  ['a.csv', 'text/csv', 'text/csv; charset=utf-8'],
  ['a.json', 'application/json'],
  ['a.txt', 'text/plain', 'text/plain; charset=utf-8'],
  ['a.md', 'text/markdown', 'text/plain; charset=utf-8'],
];

beforeAll(() => {
  const image = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=1'];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
  for (const name of ['a.png', 'a.jpg', 'a.webp', 'a.bmp', 'a.tiff'])
    ffmpeg(...image, '-frames:v', '1', at(name));
  ffmpeg(...image, '-frames:v', '1', '-c:v', 'libaom-av1', '-cpu-used', '8', at('a.avif'));
  ffmpeg(...image, at('a.gif'));
  for (const name of ['a.mp4', 'a.mov', 'a.mkv', 'a.avi']) ffmpeg(...image, ...sound, at(name));
  ffmpeg(...image, '-c:v', 'libvpx', at('a.webm'));
  for (const name of ['a.mp3', 'a.wav', 'a.ogg', 'a.flac', 'a.m4a', 'a.aac'])
    ffmpeg(...sound, at(name));
  ffmpeg(...sound, '-c:a', 'libopus', at('a.opus'));
  // The cover image is larger than the part of a file that the service inspects.
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'nullsrc=s=300x300,geq=random(1)*255:128:128',
    '-frames:v',
    '1',
    at('noise.png'),
  );
  ffmpeg(
    '-i',
    at('a.mp3'),
    '-i',
    at('noise.png'),
    '-map',
    '0',
    '-map',
    '1',
    '-c',
    'copy',
    '-id3v2_version',
    '3',
    at('cover.mp3'),
  );
  run('gs', '-q', '-o', at('a.pdf'), '-sDEVICE=pdfwrite', '-c', 'showpage');
  writeFileSync(at('a.txt'), 'Grüße, 世界 😀\n'.repeat(100));
  writeFileSync(at('a.csv'), 'name;value\r\n"a;b";1\r\n');
  writeFileSync(at('a.json'), '{"a": [1, 2, null]}');
  writeFileSync(at('a.md'), '# A title\n\n- a list\n');
  writeFileSync(at('a.rtf'), '{\\rtf1\\ansi Hello}');
  writeFileSync(at('noise'), randomBytes(200_000));
  run('zip', '-q', 'a.zip', 'a.txt', 'a.csv');
  run('zip', '-q', 'large-entries.zip', 'noise', 'a.txt');
  run('tar', 'cf', 'a.tar', 'noise', 'a.txt');
  run('tar', 'czf', 'a.tar.gz', 'noise', 'a.txt');
  run('tar', 'cjf', 'a.tar.bz2', 'a.txt');
  run('tar', 'cJf', 'a.tar.xz', 'a.txt');
  run('gzip', '-k', 'a.txt');
  run('zstd', '-q', 'a.txt', '-o', 'a.zst');
  office('a.docx', 'word/document.xml');
  office('a.xlsx', 'xl/workbook.xml');
  office('a.pptx', 'ppt/presentation.xml');
});

describe('upload_file accepts', () => {
  it.each(KINDS)(
    '%s with no type, with the type of curl, and as %s',
    async (name, declared, served) => {
      const bytes = readFileSync(at(name));
      for (const type of [undefined, 'application/octet-stream', declared]) {
        const { status, json } = curl(name, type);
        expect(status, `${type}: ${JSON.stringify(json)}`).toBe(200);
        expect(json).toEqual({
          url: `${baseUrl}/files/${json.fileId}/${name}`,
          fileId: expect.any(String),
          filename: name,
          contentType: served ?? declared,
          size: bytes.length,
          expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          storage: 'r2',
          deleteToken: expect.any(String),
        });
        const response = await fetch(json.url);
        expect(response.headers.get('Content-Type')).toBe(served ?? declared);
        expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
      }
    },
  );

  it('50 MB', async () => {
    const archive = Buffer.concat([
      Buffer.from('PK\x05\x06'),
      Buffer.alloc(18),
      randomBytes(50 * MB - 22),
    ]);
    writeFileSync(at('exact.zip'), archive);
    const { status, json } = curl('exact.zip');
    expect(status).toBe(200);
    expect(json.size).toBe(50 * MB);
    const stored = Buffer.from(await (await fetch(json.url)).arrayBuffer());
    expect(stored.equals(archive)).toBe(true);
  });

  it('50 MB of text, and refuses text with an invalid byte at 17 MB', async () => {
    const text = Buffer.alloc(50 * MB, 'Grüße\n');
    text.write('\n'.repeat(20), text.length - 20);
    writeFileSync(at('large.txt'), text);
    expect(curl('large.txt')).toMatchObject({ status: 200, json: { size: 50 * MB } });
    // The service has already stored parts of this 17 MB file when it reads the invalid last byte.
    text[17 * MB - 1] = 0xff;
    writeFileSync(at('large.txt'), text.subarray(0, 17 * MB));
    const refused = curl('large.txt');
    expect(refused).toMatchObject({ status: 400, json: { param: 'file' } });
    expect(refused.json.error).toMatch(/bytes that are not valid UTF-8/);
  });
});

describe('upload_file refuses', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  it('SVG and HTML under every name and type, large ones too', () => {
    for (const [name, content] of [
      ['a.svg', SVG],
      ['b.txt', SVG],
      ['b.png', SVG],
      ['c.txt', `${' '.repeat(9 * MB)}${SVG}`],
      ['d.txt', `${'\n'.repeat(100_000)}<!doctype html><title>x</title>${'x'.repeat(9 * MB)}`],
      ['b.html', '<h1>x</h1>'],
      ['e.gif', `GIF89a${SVG}`],
    ] as const) {
      writeFileSync(at(name), content);
      for (const type of [
        undefined,
        'application/octet-stream',
        'text/plain',
        'image/png',
        'image/gif',
      ]) {
        const { status, json } = curl(name, type);
        expect(status, `${name} as ${type}`).toBe(400);
        expect(json).toMatchObject({ code: 'bad_request', param: 'file' });
        expect(json.error).toContain(name);
      }
    }
    run('sh', '-c', 'gzip -c a.svg > f.gz && gzip -c a.svg > f.svgz');
    for (const name of ['f.gz', 'f.svgz']) expect(curl(name).status).toBe(400);
  });

  it('a file of every kind declared as another', () => {
    for (const [name, declared] of KINDS) {
      const type = /^image/.test(declared) ? 'audio/mpeg' : 'image/png';
      const { status, json } = curl(name, type);
      expect(status, `${name} as ${type}`).toBe(400);
      expect(json.error).toMatch(/declared as/);
    }
  });

  it('executables', () => {
    run('cp', '/bin/true', 'program');
    expect(curl('program').status).toBe(400);
    expect(curl('program', 'application/zip').status).toBe(400);
  });
});
