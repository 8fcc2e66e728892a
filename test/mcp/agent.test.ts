/**
 * Tests an agent that knows only the address of the service. It uploads, splits and compresses a file, and shortens the
 * file's link.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CLIENTS } from '../support/mcp-clients.ts';
import { baseUrl } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-agent-'));
afterAll(() => rmSync(folder, { recursive: true }));

const curl = (...words: string[]) => execFileSync('curl', ['-sS', ...words], { encoding: 'utf8' });

it.each(Object.entries(CLIENTS))(
  'an agent with a shell and the client %s completes its task',
  async (_, connect) => {
    const path = join(folder, 'report.pdf');
    const page = '/Helvetica 24 selectfont 72 700 moveto (A page) show showpage';
    const made = ['-q', '-sDEVICE=pdfwrite', '-o', path, '-c', `${page} `.repeat(5)];
    execFileSync('gs', made);
    const client = await connect(`${baseUrl}/api/mcp`);

    // The agent first tries a local path, and the error message says how to upload the file.
    const refused = await client.call('split_pdf', { fileUrl: `file://${path}`, ranges: ['2-3'] });
    expect(refused.isError).toBe(true);
    const uploads = /https?:\S+\/api\/v1\/uploads/.exec(refused.content[0].text)![0];
    const wish = ['-H', 'Content-Type: application/json', '-d'];
    const promised = JSON.parse(
      curl(uploads, ...wish, '{"filename":"report.pdf","contentType":"application/pdf"}'),
    );
    const { url } = JSON.parse(curl('-T', path, promised.uploadUrl));

    const split = await client.call('split_pdf', { fileUrl: url, ranges: ['2-3'] });
    const part = split.structuredContent!.url as string;
    const compressed = await client.call('compress_pdf', { fileUrl: part });
    const small = compressed.structuredContent!.url as string;
    const shortened = await client.call('shorten_url', { url: small });
    await client.close();
    // The service shortens a link to a stored file. It refuses links to its own short links, because they could loop.
    expect(shortened.isError).toBeFalsy();
    const last = join(folder, 'last.pdf');
    writeFileSync(
      last,
      execFileSync('curl', ['-sSL', shortened.structuredContent!.shortUrl as string]),
    );
    expect(execFileSync('qpdf', ['--show-npages', last], { encoding: 'utf8' }).trim()).toBe('2');
  },
);
