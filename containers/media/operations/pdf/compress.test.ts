import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PDFName } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { WorkLimit } from '../../work-limit.ts';
import { run } from '../test-operation.ts';
import { operation } from './compress_pdf.operation.ts';
import { compress, difference, imagesOf, scan, textOf } from './test-compress.ts';
import { book, distilled, emptyFolder, put } from './test-files.ts';
import { file, simple } from './test-hostile-files.ts';
import { imageFile, jpegOf, photograph } from './test-image-files.ts';
import * as look from './test-looks.ts';

afterAll(emptyFolder);

describe('compress_pdf', () => {
  it('keeps form fields, attachments, bookmarks and links', async () => {
    const path = put(
      'whole.pdf',
      await imageFile([await scan(11)], async (document) => {
        const field = document.getForm().createTextField('name');
        field.setText('Jane');
        field.addToPage(document.getPage(0), { x: 300, y: 700, width: 200, height: 20 });
        await document.attach(Buffer.from('attached'), 'note.txt', { mimeType: 'text/plain' });
      }),
    );
    const result = await compress(path);
    expect(imagesOf(result.path)).toEqual(['1 image 500x600 rgb jpeg']);
    expect(run('pdfdetach', '-list', result.path)).toContain('note.txt');
    const forms = JSON.parse(run('qpdf', '--json', '--json-key=acroform', result.path));
    expect(forms.acroform.fields[0].value).toBe(
      'u:Jane'.replace('u:', forms.version > 1 ? 'u:' : ''),
    );
    const plain = book('kept', 6);
    const again = await compress(plain);
    if (again.meta.unchanged === undefined)
      expect(look.outlines(again.path)).toEqual(look.outlines(plain));
    else expect(again.bytes.length).toBe(0);
  });

  it('returns the reason without bytes if nothing can be saved', async () => {
    const once = await compress(put('again.pdf', await imageFile([await scan(12)])));
    const twice = await compress(once.path);
    expect(twice.bytes.length).toBe(0);
    expect(twice.meta.unchanged).toBe('the file cannot be made smaller');
  });

  it('leaves a signed file unchanged', async () => {
    const path = put(
      'signed.pdf',
      await imageFile([await scan(13)], (document) => {
        const form = document.context.obj({ Fields: [], SigFlags: 3 });
        document.catalog.set(PDFName.of('AcroForm'), form);
      }),
    );
    const result = await compress(path);
    expect(result.meta.unchanged).toContain('digitally signed');
    expect(result.bytes.length).toBe(0);
  });

  it('reads a file encrypted with an empty user password, and refuses one that requires a password', async () => {
    const path = put('plain.pdf', await imageFile([await scan(14)]));
    const empty = path.replace('plain', 'empty');
    run('qpdf', '--encrypt', '', 'owner', '256', '--', path, empty);
    const result = await compress(empty);
    expect(imagesOf(result.path)).toEqual(['1 image 500x600 rgb jpeg']);
    expect(difference(path, result.path)).toBeLessThan(4);
    const locked = path.replace('plain', 'locked');
    run('qpdf', '--encrypt', 'user', 'owner', '256', '--', path, locked);
    await expect(compress(locked)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"locked.pdf" is protected by a password'),
    });
  });

  it('refuses a file that is not a PDF, PostScript, and an irreparable PDF', async () => {
    for (const [name, content] of [
      ['photo.pdf', await jpegOf(await photograph(10, 10), 10, 10)],
      ['loop.pdf', '%!PS-Adobe-3.0\n{} loop\n'],
      ['posing.pdf', '%PDF-1.4\n{} loop\n'],
      ['cut.pdf', Buffer.from(await imageFile([await scan(15)])).subarray(0, 3000)],
    ] as const) {
      await expect(compress(put(name, content)), name).rejects.toMatchObject({ status: 400 });
    }
  });

  it('compresses an uncompressed text file', async () => {
    let text = '';
    for (let line = 0; line < 60; line += 1)
      text += `72 ${720 - line * 10} moveto (line ${line}) show\n`;
    const many = distilled('many', `${text} showpage `.repeat(40));
    const loose = many.replace('many', 'loose');
    run('qpdf', '--stream-data=uncompress', '--object-streams=disable', many, loose);
    const result = await compress(loose);
    expect(result.bytes.length).toBeLessThan(readFileSync(many).length);
    expect(look.pageCount(result.path)).toBe(40);
    expect(textOf(result.path).replace(/\s/g, '')).toBe(textOf(loose).replace(/\s/g, ''));
    expect(look.renderings(result.path).length).toBe(40);
  });

  it('compresses a file with its document information in the trailer', async () => {
    const content = '0 0 m 99 99 l S\n'.repeat(99);
    const objects = simple({
      3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>',
      4: `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    });
    const path = put('direct.pdf', file(objects, '/Info<</Title(Direct)>>'));
    const result = await compress(path);
    expect(result.bytes.length).toBeLessThan(content.length);
    expect(run('pdfinfo', result.path)).toMatch(/^Title: +Direct$/m);
  });

  it('stops when its caller disconnects', async () => {
    const path = put('gone.pdf', await imageFile([await scan(16), await scan(17)]));
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('gone')), 150);
    const directory = path.slice(0, path.lastIndexOf('/'));
    const file = { name: 'gone.pdf', size: 1, path };
    const started = performance.now();
    const context = { directory, signal: stop.signal, limit: new WorkLimit(1) };
    const run = operation.run({}, [file], context);
    await expect(run).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('returns the reason without bytes if its process crashes', async () => {
    const path = put('dies.pdf', await imageFile([await scan(18), await scan(19)]));
    const childrenOf = (pid: number) => {
      const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', `${pid}`], {
        encoding: 'utf8',
      });
      return stdout.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), line }));
    };
    const running = compress(path);
    await expect
      .poll(
        () => {
          // If a document process has a child process, it has started its work.
          const begun = childrenOf(process.pid).find(
            ({ pid, line }) => line.includes('document-process') && childrenOf(pid).length > 1,
          );
          return begun !== undefined && process.kill(begun.pid, 'SIGKILL');
        },
        { interval: 10 },
      )
      .toBe(true);
    const { bytes, meta } = await running;
    expect(bytes.length).toBe(0);
    expect(meta.unchanged).toBe('compression exceeds the memory or time limit');
  });
});
