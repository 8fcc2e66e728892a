import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { baseUrl, body, executeForm } from '../support/service.ts';
import { field, multipart, send, sendMultipart } from './raw-request.ts';
import { storedBytes, storedBytesAgain } from './stored-bytes.ts';

const MB = 2 ** 20;
const FORM = { 'Content-Type': 'multipart/form-data; boundary=b' };
const folder = mkdtempSync(join(tmpdir(), 'tools-multipart-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes random bytes after a ZIP header. They are incompressible and match no other file type. */
const archive = (size: number) =>
  Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18), randomBytes(size - 22)]);
const blob = (bytes: Uint8Array | string) => new Blob([bytes as Uint8Array<ArrayBuffer>]);
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const ENCODE: [string, string][] = [
  [field('tool'), 'encode_base64'],
  [field('parameters'), '{"text":"a"}'],
];
const UPLOAD: [string, string] = [field('tool'), 'upload_file'];
const TEXT_FILE = `${field('file')}; filename="a.txt"`;

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe('a multipart call', () => {
  it('accepts its parts in any order, even a file before the tool', async () => {
    const parts: [string, string | Blob, string?][] = [
      ['tool', 'upload_file'],
      ['parameters', '{}'],
      ['file', blob('hello'), 'a.txt'],
    ];
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const response = await executeForm(order.map((index) => parts[index]!));
      expect(response.status).toBe(200);
      expect(await body(response)).toMatchObject({ filename: 'a.txt', size: 5 });
    }
  });

  it('runs tools without files, and needs no parameters', async () => {
    expect((await sendMultipart(multipart(ENCODE))).json).toEqual({ encoded: 'YQ==' });
    const answer = await sendMultipart(multipart([[field('tool'), ' encode_base64\r\n']]));
    expect(answer).toMatchObject({ status: 400, json: { param: 'text' } });
  });

  it('accepts parameters sent as a file or with a content type', async () => {
    const header = `${field('parameters')}; filename="blob"\r\nContent-Type: application/json`;
    const answer = await sendMultipart(multipart([ENCODE[0]!, [header, '{"text":"a"}']]));
    expect(answer.json).toEqual({ encoded: 'YQ==' });
  });

  it('is decoded in the charset of each part', async () => {
    const header = `${field('parameters')}\r\nContent-Type: text/plain; charset=iso-8859-1`;
    const answer = await sendMultipart(
      multipart([ENCODE[0]!, [header, Buffer.from('{"text":"ä"}', 'latin1')]]),
    );
    expect(answer.json).toEqual({ encoded: 'w6Q=' });
  });

  it('returns 400 without `tool`, and has a message for each other mistake', async () => {
    const file: [string, string] = [TEXT_FILE, 'hello'];
    for (const [parts, param, message] of [
      [[[field('parameters'), '{}']], 'tool', /"tool" is missing/],
      [[file], 'tool', /"tool" is missing/],
      [[[field('tool'), '']], 'tool', /"tool" is missing/],
      [[UPLOAD, UPLOAD, file], 'tool', /"tool" was sent twice/],
      [[ENCODE[0], ENCODE[1], ENCODE[1]], 'parameters', /"parameters" was sent twice/],
      [[ENCODE[0], [field('parameters'), '{text: 1}']], 'parameters', /not valid JSON/],
      [[ENCODE[0], [field('parameters'), '']], 'parameters', /is empty/],
      [[ENCODE[0], [field('parameters'), '[]']], 'parameters', /must be a JSON object/],
      [[ENCODE[0], [field('parameters'), '['.repeat(100_000)]], 'parameters', /nested deeper/],
      [[ENCODE[0], [field('parameters'), Buffer.of(0xff)]], 'parameters', /not valid UTF-8/],
      [
        [ENCODE[0], [`${field('parameters')}\r\nContent-Type: text/plain; charset=none`, '{}']],
        'parameters',
        /charset of the part "parameters" is unknown/,
      ],
      [[...ENCODE, file], 'file', /encode_base64 takes no file/],
      [[file, ...ENCODE], 'file', /encode_base64 takes no file/],
      [[UPLOAD, [`${field('picture')}; filename="a"`, 'x']], 'picture', /Name the part "file"/],
      [[UPLOAD, file, file], 'file', /takes one file, but got more/],
      [[file, file, UPLOAD], 'file', /takes at most 1 file, but got 2/],
      [[UPLOAD], 'file', /needs a file, but got none/],
      [[UPLOAD, [`${field('file')}; filename=""`, '']], 'file', /needs a file, but got none/],
      [[UPLOAD, [TEXT_FILE, '']], 'file', /The file a\.txt is empty/],
      [[[field('tool'), 'merge_pdf'], file], 'files', /needs at least 2 files, but got 1/],
      [
        [[field('tool'), 'split_pdf'], [field('parameters'), '{"ranges":["1"]}'], file],
        'file',
        /a\.txt is not a PDF/,
      ],
      [[[field('tool'), 'split_pdf']], 'ranges', /"ranges" is missing\./],
    ] as [[string, string][], string, RegExp][]) {
      const answer = await sendMultipart(multipart(parts));
      expect(answer.status, answer.text).toBe(400);
      expect(answer.json.error).toMatch(message);
      expect(answer.json.param).toBe(param);
      expect(answer.json.requestId).toBe(answer.headers['x-request-id']);
    }
  });

  it('returns 400 for an unknown tool and 501 for a browser-only one, with or without a file', async () => {
    const file: [string, string] = [TEXT_FILE, 'hello'];
    for (const [tool, status, code] of [
      ['nothing', 400, 'tool_unknown'],
      ['__proto__', 400, 'tool_unknown'],
      ['hash_text', 501, 'tool_unsupported'],
    ] as const) {
      const name: [string, string] = [field('tool'), tool];
      for (const parts of [[name], [name, file], [file, name]]) {
        const answer = await sendMultipart(multipart(parts));
        expect(answer).toMatchObject({ status, json: { code } });
      }
    }
  });

  it('warns of ignored parts', async () => {
    const answer = await sendMultipart(multipart([...ENCODE, [field('text'), 'b']]));
    expect(answer.json).toEqual({ encoded: 'YQ==' });
    expect(answer.headers['x-tool-warnings']).toMatch(/The part "text" was ignored/);
  });

  it('returns 400 if the body is not multipart', async () => {
    const good = multipart(ENCODE).toString();
    for (const [text, message] of [
      ['', /has no part/],
      ['hello', /has no part/],
      [good.replaceAll('--b', '--c'), /has no part/],
      [good.slice(0, -6), /ends before its closing boundary/],
      [good.slice(0, 60), /ends before its closing boundary/],
      [good.slice(0, 20), /ends before its closing boundary/],
      [multipart([['Content-Disposition: form-data', 'x']]), /a part without a name/],
      [multipart([['Content-Type: text/plain', 'x']]), /a part without a name/],
      ['--b\r\n\r\nx\r\n--b--\r\n', /a part without headers/],
      [good.replaceAll('\r\n', '\n'), /has no part/],
    ] as [string, RegExp][]) {
      const answer = await sendMultipart(text);
      expect(answer.status, String(text)).toBe(400);
      expect(answer.json.error).toMatch(message);
    }
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; x',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
    ]) {
      const answer = await sendMultipart(good, { 'Content-Type': type });
      expect(answer).toMatchObject({
        status: 400,
        json: { error: expect.stringMatching(/no valid boundary/) },
      });
    }
    const mixed = await sendMultipart(good, { 'Content-Type': 'multipart/mixed; boundary=b' });
    expect(mixed.status).toBe(415);
  });

  it('accepts headers in any case, a quoted boundary, padding, a preamble and an epilogue', async () => {
    const text = [
      'to be ignored\r\n--B \t\r\n',
      'CONTENT-DISPOSITION:Form-Data;NAME=tool\r\nx-other: 1\r\n\r\nencode_base64\r\n--B\r\n',
      'content-disposition: form-data;\r\n name="parameters"\r\n\r\n{"text":"a"}\r\n--B--\r\nignored\r\n',
    ].join('');
    const answer = await sendMultipart(text, {
      'Content-Type': 'Multipart/Form-Data; BOUNDARY="B"',
    });
    expect(answer.json).toEqual({ encoded: 'YQ==' });
  });

  it('keeps text that resembles a boundary inside a file', async () => {
    const content = 'x--b\r\n-- b\r\n--bb\r\n--b-\r\n\r\n--c--\r\n--a\r\n\r--b\n--b';
    const answer = await sendMultipart(multipart([UPLOAD, [TEXT_FILE, content]]));
    expect((await download(answer.json.url)).toString()).toBe(content);
  });

  it('accepts at most 200 parts', async () => {
    const fields = (count: number): [string, string][] =>
      Array.from({ length: count }, (_, index) => [field(`x${index}`), '']);
    expect((await sendMultipart(multipart([...ENCODE, ...fields(198)]))).status).toBe(200);
    const answer = await sendMultipart(multipart([...ENCODE, ...fields(298)]));
    expect(answer).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/200 parts/) },
    });
  });

  it('returns 413 if its fields together exceed 8 MB', async () => {
    const half = 'x'.repeat(5 * MB);
    const parts: [string, string][] = [
      [field('a'), half],
      [field('c'), half],
    ];
    const answer = await sendMultipart(multipart([...ENCODE, ...parts]));
    expect(answer).toMatchObject({ status: 413, json: { code: 'bad_request' } });
  });
});

describe('a multipart body', () => {
  const content = Buffer.from('\r\n--\r\n--b-\r\n\x00\xff--b\r', 'latin1');
  const whole = multipart([
    [`${field('file')}; filename="ä.zip"`, Buffer.concat([archive(30), content])],
    UPLOAD,
  ]);

  it.each([
    ['chunked', FORM],
    ['with Content-Length', { ...FORM, 'Content-Length': String(whole.length) }],
  ])('arrives complete however it is split: %s', async (_, headers) => {
    const answers = await Promise.all(
      Array.from({ length: whole.length - 1 }, (_each, index) =>
        send({
          headers,
          pieces: [whole.subarray(0, index + 1), whole.subarray(index + 1)],
          gapMs: 15,
        }),
      ),
    );
    for (const { status, json, text } of answers) {
      expect(status, text).toBe(200);
      expect(json).toMatchObject({ filename: 'ä.zip', size: 30 + content.length });
    }
    const bytes = await download(answers[whole.length >> 1]!.json.url);
    expect(bytes.subarray(30).equals(content)).toBe(true);
  });

  it('arrives complete byte by byte', async () => {
    const pieces = Array.from(multipart(ENCODE), (byte) => Uint8Array.of(byte));
    expect((await send({ headers: FORM, pieces, gapMs: 1 })).json).toEqual({ encoded: 'YQ==' });
  });
});

describe('the name of an uploaded file', () => {
  const nameFor = async (parameter: string) =>
    (await sendMultipart(multipart([UPLOAD, [`${field('file')}; ${parameter}`, 'hello']]))).json
      .filename;

  it('loses its path and the characters that headers and file systems do not allow', async () => {
    for (const [parameter, name] of [
      ['filename="../../etc/passwd"', 'passwd'],
      ['filename="C:\\fake\\a.txt"', 'a.txt'],
      ['filename="a%22b.txt"', 'a_b.txt'],
      ['filename="a\\"b.txt"', 'a_b.txt'],
      ['filename="a%0D%0ASet-Cookie: x.txt"', 'a__Set-Cookie_ x.txt'],
      ['filename="..."', 'file'],
      ['filename=".hidden.txt"', 'hidden.txt'],
      ['filename="a/"', 'file'],
      ['filename="\u202Etxt.a\u0007"', '_txt.a_'],
      ['filename=plain.txt', 'plain.txt'],
    ] as const) {
      expect(await nameFor(parameter), parameter).toBe(name);
    }
  });

  it('keeps every script, in both notations', async () => {
    expect(await nameFor('filename="日本語 ünï 😀.txt"')).toBe('日本語 ünï 😀.txt');
    expect(await nameFor(`filename="x"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`)).toBe('日本.txt');
    expect(await nameFor(`filename="x.txt"; filename*=UTF-8''%E0%A4%A`)).toBe('x.txt');
    expect(await nameFor('filename="e\u0301.txt"')).toBe('é.txt');
  });

  it('is cut to 150 characters and keeps its extension', async () => {
    expect(await nameFor(`filename="${'ä'.repeat(400)}.txt"`)).toBe(`${'ä'.repeat(146)}.txt`);
  });

  it('returns 400 with advice if the part is not a file, as curl sends it without an @', async () => {
    const answer = await sendMultipart(multipart([UPLOAD, [field('file'), 'hello.txt']]));
    expect(answer.status).toBe(400);
    expect(answer.json.error).toContain('put an @ before the path');
  });
});

describe('a large upload', () => {
  it('arrives unchanged below, at and above 8 MB, tool first or file first', async () => {
    for (const size of [8 * MB - 1, 8 * MB, 15 * MB + 1]) {
      const bytes = archive(size);
      for (const toolFirst of [true, false]) {
        const parts: [string, string | Blob, string?][] = [
          ['tool', 'upload_file'],
          ['file', blob(bytes), 'a.zip'],
        ];
        const response = await executeForm(toolFirst ? parts : parts.reverse());
        expect(response.status).toBe(200);
        const { url, size: told } = await body(response);
        expect(told).toBe(size);
        expect(digest(await download(url))).toBe(digest(bytes));
      }
    }
  });

  it('arrives unchanged in chunks of odd sizes', async () => {
    const bytes = archive(12 * MB + 7);
    const form = multipart([UPLOAD, [`${field('file')}; filename="a.zip"`, bytes]]);
    const pieces: Buffer[] = [];
    for (let at = 0; at < form.length; at += 99_991) pieces.push(form.subarray(at, at + 99_991));
    const answer = await send({ headers: FORM, pieces });
    expect(answer.status).toBe(200);
    expect(digest(await download(answer.json.url))).toBe(digest(bytes));
  });

  it('arrives unchanged if megabytes of fields follow it', async () => {
    const bytes = archive(9 * MB);
    const form = multipart([
      [`${field('file')}; filename="a.zip"`, bytes],
      [field('ignored'), 'x'.repeat(7 * MB)],
      UPLOAD,
    ]);
    const answer = await sendMultipart(form, { 'Content-Length': String(form.length) });
    expect(answer.status).toBe(200);
    expect(digest(await download(answer.json.url))).toBe(digest(bytes));
  });

  it('returns 413 from the first byte over 50 MB, and says whose limit it is', async () => {
    const part = `${field('file')}; filename="a.zip"`;
    const start = (tool: boolean) =>
      multipart([...(tool ? [UPLOAD] : []), [part, archive(50 * MB + 1)]]).subarray(0, -9);
    for (const tool of [true, false]) {
      // The remaining 10 MB of the body are never sent.
      const answer = await send({
        headers: { ...FORM, 'Content-Length': String(60 * MB) },
        pieces: [start(tool)],
        endless: true,
      });
      expect(answer).toMatchObject({ status: 413, json: { code: 'bad_request', param: 'file' } });
      expect(answer.json.error).toMatch(
        tool ? /50 MB limit of upload_file/ : /50 MB limit of every tool/,
      );
    }
  });

  it('returns 413 for a body over 64 MB, by its Content-Length before it is read, and in chunks', async () => {
    const tooLong = { ...FORM, 'Content-Length': String(64 * MB + 1) };
    const early = await send({ headers: tooLong, pieces: ['--b\r\n'], endless: true });
    expect(early).toMatchObject({ status: 413, json: { error: expect.stringMatching(/64 MB/) } });
    const file = archive(33 * MB);
    const form = multipart([
      [field('tool'), 'merge_pdf'],
      [`${field('files')}; filename="a.pdf"`, file],
      [`${field('files')}; filename="b.pdf"`, file],
    ]);
    const before = storedBytes();
    const chunked = await send({ headers: FORM, pieces: [form] });
    expect(chunked).toMatchObject({ status: 413, json: { error: expect.stringMatching(/64 MB/) } });
    expect(await storedBytesAgain(before)).toEqual(before);
  });

  it('leaves nothing in storage if it is refused at any point', async () => {
    const file: [string, Buffer] = [`${field('file')}; filename="a.zip"`, archive(9 * MB)];
    const noise: [string, Buffer] = [`${field('file')}; filename="a.bin"`, randomBytes(9 * MB)];
    const before = storedBytes();
    for (const [index, parts] of (
      [
        [...ENCODE, file],
        [file, ...ENCODE],
        [file],
        [file, [field('tool'), 'nothing']],
        [file, [field('tool'), 'hash_text']],
        [file, UPLOAD, [field('parameters'), '{']],
        [file, [`${field('picture')}; filename="a"`, 'x']],
        [file, file, UPLOAD],
        [UPLOAD, file, file],
        [UPLOAD, noise],
        [noise, UPLOAD],
        [file, [field('tool'), 'merge_pdf']],
        [file, file, [field('tool'), 'merge_pdf']],
      ] as [string, string | Buffer][][]
    ).entries()) {
      const form = multipart(parts);
      const announced = { 'Content-Length': String(form.length) };
      const answers = [
        await sendMultipart(form, index % 2 === 0 ? {} : announced),
        await sendMultipart(form.subarray(0, -20)),
      ];
      for (const { status } of answers) expect([400, 501]).toContain(status);
    }
    expect(await storedBytesAgain(before)).toEqual(before);
  });

  it('leaves nothing in storage if its sender disconnects halfway', async () => {
    const path = join(folder, 'dropped.zip');
    writeFileSync(path, archive(40 * MB));
    const before = storedBytes();
    for (const parts of [
      ['-F', 'tool=upload_file', '-F', `file=@${path}`],
      ['-F', `file=@${path}`, '-F', 'tool=upload_file'],
      ['-H', 'Transfer-Encoding: chunked', '-F', `file=@${path}`, '-F', 'tool=upload_file'],
    ]) {
      const curl = spawn(
        'curl',
        ['-s', '--limit-rate', '10M', ...parts, `${baseUrl}/api/v1/tools/execute`],
        { stdio: 'ignore' },
      );
      await expect.poll(() => storedBytes().openUploads).toBe(before.openUploads + 1);
      curl.kill('SIGKILL');
      await once(curl, 'exit');
      expect(await storedBytesAgain(before)).toEqual(before);
    }
  });
});
