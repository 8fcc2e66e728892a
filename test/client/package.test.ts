/** Installs the packed client and command into an empty folder, and tests them against the real service. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/catalogue/version.ts';
import type * as Client from '../../src/client/client.ts';
import { accountKey } from '../support/account-key.ts';
import { openBrowser } from '../support/chromium.ts';
import { baseUrl, stateDir } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules', 'tools-service');
let client: typeof Client;
let tools: Client.Tools;
let pdf: Blob;
let image: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  const packed = packRepository();
  mkdirSync(project);
  const flags = [
    '--offline',
    '--no-audit',
    '--no-fund',
    '--silent',
    '--cache',
    join(folder, 'npm'),
  ];
  execFileSync('npm', ['install', ...flags, packed], { cwd: project });
  client = await import(join(installed, 'dist', 'package', 'client.js'));
  tools = client.connect({ baseUrl });
  const document = await PDFDocument.create();
  document.addPage([99, 99]);
  pdf = new Blob([new Uint8Array(await document.save())], { type: 'application/pdf' });
  image = new Uint8Array(
    await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  for (const name of ['a.png', 'b.png', 'c.png']) writeFileSync(join(project, name), image);
  writeFileSync(join(project, 'a.pdf'), await pdf.bytes());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files and folders of the repository that `npm pack` needs. */
const PACKED_FROM = [
  ...['package.json', 'package-lock.json', 'LICENSE', 'README.md', 'containers/media'],
  ...['scripts', 'src'],
];

/**
 * Runs `npm pack` in a copy, because it changes package.json temporarily. Returns the path of the
 * tarball.
 */
function packRepository(): string {
  const copy = join(folder, 'repository');
  for (const path of PACKED_FROM) cpSync(path, join(copy, path), { recursive: true });
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name));
  }
  const stamp = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  rmSync(join(copy, 'node_modules', '.installed-from'), { force: true });
  writeFileSync(join(copy, 'node_modules', '.installed-from'), stamp);
  const packed = execFileSync('npm', ['pack', '--silent'], { cwd: copy, encoding: 'utf8' });
  const manifests = [copy, '.'].map((path) => readFileSync(join(path, 'package.json'), 'utf8'));
  expect(manifests[0]).toBe(manifests[1]);
  return join(copy, packed.trim());
}

describe('the types of the package', () => {
  // The first case has only Node's types, and the second case has only a browser's types.
  it.each([
    ['nodenext', 'esnext', 'node'],
    ['bundler', 'esnext,dom,dom.iterable', ''],
  ])('compile strictly with %s and %s', (resolution, lib, types) => {
    copyFileSync('test/client/typed-calls.ts', join(project, 'typed-calls.mts'));
    const module = resolution === 'bundler' ? 'esnext' : resolution;
    const flags = `--noEmit --strict --target esnext --module ${module} --moduleResolution ${resolution} --lib ${lib}`;
    const roots = ['--typeRoots', resolve('node_modules/@types'), '--types', types];
    let output = '';
    try {
      execFileSync('tsc', [...flags.split(' '), ...roots, 'typed-calls.mts'], { cwd: project });
    } catch (error) {
      output = String((error as { stdout: Buffer }).stdout);
    }
    expect(output).toBe('');
  });
});

describe('the client', () => {
  it('calls with JSON, files, links and chains', async () => {
    expect(await tools.encode_base64({ text: 'Grüße' })).toEqual({ encoded: 'R3LDvMOfZQ==' });
    const merged = await tools.merge_pdf({ files: [pdf, pdf] });
    expect(merged).toMatchObject({ pages: 2, inputBytes: 2 * pdf.size });
    const path = join(project, 'merged.pdf');
    await merged.save(path);
    expect((await PDFDocument.load(readFileSync(path))).getPageCount()).toBe(2);
    const link = await tools.merge_pdf({ files: [pdf, pdf] }, { link: true });
    expect(link).toMatchObject({ filename: 'merged.pdf', pages: 2, url: expect.any(String) });
    const [step] = (await tools.split_pdf({ file: link, ranges: ['2'] }).then(readPages)) as [
      number,
    ];
    expect(step).toBe(1);
    const { completed, output } = await tools.chain([
      { tool: 'encode_base64', parameters: { text: 'hi' } },
      { tool: 'encode_url' },
    ]);
    expect([completed, output]).toEqual([true, { encoded: 'aGk%3D' }]);
    expect((await tools.search('merge', { topK: 1 })).passages).toHaveLength(1);
  });

  const readPages = async (file: Client.ToolFile) => [
    (await PDFDocument.load(await file.bytes())).getPageCount(),
  ];

  it('sends a stream while it is read, and receives the same bytes', async () => {
    const line = new TextEncoder().encode(`${'x'.repeat(65_535)}\n`);
    let lines = 0;
    const data = new ReadableStream<Uint8Array>({
      pull(controller) {
        lines += 1;
        if (lines > 32) controller.close();
        else controller.enqueue(line);
      },
    });
    const stored = await tools.upload({ filename: 'lines.txt', data });
    expect(stored).toMatchObject({ filename: 'lines.txt', size: 32 * line.byteLength });
    expect((await stored.bytes()).byteLength).toBe(32 * line.byteLength);
  });

  it('saves no partial file if the connection drops', async () => {
    let isBroken = false;
    const body = new ReadableStream({
      pull(controller) {
        if (isBroken) controller.error(new TypeError('terminated'));
        else controller.enqueue(new Uint8Array(9));
        isBroken = true;
      },
    });
    const headers = {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'attachment; filename="merged.pdf"',
    };
    const broken = client.connect({ baseUrl, fetch: async () => new Response(body, { headers }) });
    const file = await broken.merge_pdf({ files: [pdf, pdf] });
    const path = join(project, 'broken.pdf');
    await expect(file.save(path)).rejects.toMatchObject({ code: 'unreachable', status: 0 });
    expect(existsSync(path)).toBe(false);
  });

  it('runs long work as a job and reports its progress', async () => {
    const seen: string[] = [];
    const result = await tools.compress_pdf(
      { file: pdf },
      { onProgress: ({ status }) => seen.push(status) },
    );
    expect(result).toMatchObject({ contentType: 'application/pdf', pages: 1 });
    expect(await readPages(result)).toEqual([1]);
    expect(seen.at(-1)).toBe('succeeded');
  });

  it('throws typed errors', async () => {
    const refused = tools.split_pdf({ file: pdf, ranges: ['x'] });
    const error = await refused.catch((thrown: Client.ToolsError) => thrown);
    expect(error).toBeInstanceOf(client.ToolsError);
    expect(error).toMatchObject({ code: 'bad_request', status: 400, param: 'ranges' });
    expect((error as Client.ToolsError).requestId).toMatch(/\w/);
    const wrongKey = client.connect({ baseUrl, key: 'tsk_wrong' }).encode_base64({ text: '' });
    await expect(wrongKey).rejects.toMatchObject({ code: 'invalid_key', status: 401 });
  });

  it('retries a call whose response was lost, and the service runs it once', async () => {
    let sent = 0;
    const flaky = client.connect({
      baseUrl,
      fetch: async (url, init) => {
        sent += 1;
        const response = await fetch(url, init);
        if (sent > 1) return response;
        await response.bytes();
        throw new TypeError('the connection was lost');
      },
    });
    const { shortUrl } = await flaky.shorten_url({ url: 'https://example.com/' });
    expect(sent).toBe(2);
    const again = await flaky.shorten_url({ url: 'https://example.com/' });
    expect(again.shortUrl).not.toBe(shortUrl);
  });

  it('runs in a browser', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const serve = (path: string, contentType: string, body: string) =>
        page.route(`${baseUrl}/${path}`, (route) => route.fulfill({ contentType, body }));
      const script = "import { connect } from '/client.js'; window.connect = connect;";
      await serve('client-page', 'text/html', `<script type=module>${script}</script>`);
      await serve(
        'client.js',
        'text/javascript',
        readFileSync(join(installed, 'dist', 'package', 'client.js'), 'utf8'),
      );
      await page.goto(`${baseUrl}/client-page`);
      const result = await page.evaluate(
        async (bytes) => {
          const { connect } = globalThis as unknown as typeof Client;
          const tools = connect({ baseUrl: location.origin });
          const data = new Blob([new Uint8Array(bytes)]).stream();
          const small = await tools.compress_image({
            file: { filename: 'a.png', data },
            format: 'png',
            width: 20,
          });
          const { width } = await createImageBitmap(await small.blob());
          return [small.filename, width];
        },
        [...image],
      );
      expect(result).toEqual(['a.png', 20]);
    } finally {
      await browser.close();
    }
  });
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(args: readonly string[], env: object = {}, input = ''): Promise<Ended> {
  return new Promise((done) => {
    const options = { cwd: project, env: { ...process.env, TOOLS_URL: baseUrl, ...env } };
    const path = join(project, 'node_modules', '.bin', 'tools');
    const child = execFile(path, args, options, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin!.end(input);
  });
}

describe('the command', () => {
  it('writes the result of a tool to a file', async () => {
    const made = await run(['compress_image', 'a.png', '--format', 'avif', '-o', 'out/a.avif']);
    expect(made).toMatchObject({ code: 0, stdout: 'out/a.avif\n' });
    expect((await sharp(join(project, 'out/a.avif')).metadata()).format).toBe('heif');
    // The command overwrites an existing file only if -o is given.
    expect((await run(['compress_image', 'a.png', '--format', 'png'])).stdout).toBe('a-2.png\n');
    expect(readFileSync(join(project, 'a.png')).byteLength).toBe(image.byteLength);
  });

  it('runs once for each of many files, and continues after a failure', async () => {
    writeFileSync(join(project, 'broken.png'), 'no image');
    const args = ['compress_image', '[abc].png', 'broken.png', '--width', '20', '-o', 'small/'];
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stdout.trim().split('\n').sort()).toEqual([
      'small/a.webp',
      'small/b.webp',
      'small/c.webp',
    ]);
    expect(stderr).toContain('tools: broken.png: ');
    expect(existsSync(join(project, 'small', 'broken.webp'))).toBe(false);
  });

  it('reads stdin and writes stdout', async () => {
    const unnamed = await run(['parse_document', '-'], {}, 'text');
    expect(unnamed.stderr).toContain('For stdin, add a file name: --filename NAME');
    const { stdout } = await run(['encode_base64', '-'], {}, 'hi');
    expect(stdout).toBe('aGk=\n');
    const chain = [{ tool: 'encode_base64', parameters: { text: 'hi' } }];
    const chained = await run(['chain', '-', '--json'], {}, JSON.stringify(chain));
    expect(JSON.parse(chained.stdout).output).toEqual({ encoded: 'aGk=' });
  });

  it('prints links with --json for results and uploads', async () => {
    const merged = JSON.parse((await run(['merge_pdf', 'a.pdf', 'a.pdf', '--json'])).stdout);
    expect(merged).toMatchObject({ filename: 'merged.pdf', pages: 2 });
    const { stdout } = await run(['upload', 'a.pdf']);
    expect((await fetch(stdout.trim())).headers.get('Content-Type')).toBe('application/pdf');
  });

  it('prints the usage of a key, and search passages', async () => {
    const key = await run(['key'], { TOOLS_KEY: await accountKey(stateDir) });
    expect(JSON.parse(key.stdout)).toMatchObject({ webhookSecret: expect.any(String) });
    expect(JSON.parse((await run(['search', 'merge'])).stdout).count).toBeGreaterThan(0);
  });

  it('reports that it was interrupted', async () => {
    const silent = createServer((request) => request.on('data', () => child.kill('SIGINT')));
    await once(silent.listen(0), 'listening');
    const { port } = silent.address() as AddressInfo;
    const env = { ...process.env, TOOLS_URL: `http://localhost:${port}` };
    const path = join(project, 'node_modules', '.bin', 'tools');
    const child = spawn(path, ['encode_base64', 'hi'], { env });
    const stderr = text(child.stderr);
    const [code] = await once(child, 'exit');
    silent.close().closeAllConnections();
    expect([code, await stderr]).toEqual([130, 'tools: Interrupted.\n']);
  });

  it('searches for several words', async () => {
    const { query } = JSON.parse((await run(['search', 'merge', 'PDFs', '--json'])).stdout);
    expect(query).toBe('merge PDFs');
  });

  // Every write to /dev/full fails on Linux.
  it('fails with a message if stdout cannot be written', async () => {
    const command = join(project, 'node_modules', '.bin', 'tools');
    for (const args of ['merge_pdf a.pdf a.pdf -o -', 'encode_base64 hi', '--help']) {
      const { status, stderr } = spawnSync('sh', ['-c', `"${command}" ${args} > /dev/full`], {
        cwd: project,
        env: { ...process.env, TOOLS_URL: baseUrl },
        encoding: 'utf8',
      });
      expect([args, status, stderr]).toEqual([
        args,
        2,
        'tools: Cannot write to stdout: the disk is full. Choose another path with -o.\n',
      ]);
    }
  });

  it('explains why an output path cannot be written', async () => {
    const merge = ['merge_pdf', 'a.pdf', 'a.pdf', '-o'];
    const [full, inFile, missing] = await Promise.all([
      run([...merge, '/dev/full']),
      run([...merge, 'a.png/merged.pdf']),
      run([...merge, '/proc/x/out/merged.pdf']),
    ]);
    expect([full, inFile, missing]).toMatchObject([
      {
        code: 2,
        stderr:
          'tools: Cannot write to /dev/full: the disk is full. Choose another path with -o.\n',
      },
      { code: 2, stderr: expect.stringContaining('a part of the path is not a folder') },
      { code: 2, stderr: expect.stringContaining('/proc/x/out: there is no such folder.') },
    ]);
    expect(existsSync('/dev/full')).toBe(true);
  });

  it('prints its help without a service', async () => {
    const offline = { TOOLS_URL: 'no URL' };
    const overview = await run([], offline);
    expect(overview.stdout).toMatch(/^ {2}merge_pdf +Merge PDFs$/m);
    expect(await run(['--version'], offline)).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
    for (const [name, usage] of Object.entries({ chain: 'chain FILE', key: 'key' })) {
      const help = await run([name, '--help'], offline);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain(`Usage: tools ${usage} [OPTIONS]\n`);
    }
    const { code, stdout } = await run(['compress_image', '--help'], offline);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}--format webp\|jpeg\|png\|avif +.*Default: webp\.$/m);
  });

  it('has an exit code for each kind of error', async () => {
    writeFileSync(join(project, 'broken.json'), '[{,}]');
    const [refused, unreachable, ...wrong] = await Promise.all([
      run(['split_pdf', 'a.pdf', '--ranges', 'x', '--json']),
      run(['encode_base64', 'a'], { TOOLS_URL: 'http://127.0.0.1:1' }),
      run(['encode_base64']),
      run(['compress_pdf', 'missing.pdf']),
      run(['compress_pdf', 'node_modules']),
      run(['nothing']),
      run(['merge', 'a.pdf', 'b.pdf']),
      run(['compres-image', 'a.png']),
      run(['key'], { TOOLS_KEY: '' }),
      run(['chain', 'missing.json']),
      run(['chain', 'broken.json']),
      run(['compress_image', 'a.png', '--wide', '3']),
      run(['compress_image', 'a.png', '--format']),
      run(['calculate_percentage', 'of', '-5', '3']),
      run(['encode_base64', 'a'], { TOOLS_URL: 'localhost:8787' }),
    ]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({ code: 'bad_request', param: 'ranges' });
    expect(unreachable.code).toBe(3);
    expect(unreachable.stderr).toContain('The service at http://127.0.0.1:1 did not respond.');
    expect(wrong.map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, 'tools: The option --text is required. Run: tools encode_base64 --help\n'],
      [2, 'tools: There is no file missing.pdf. Check the path.\n'],
      [2, 'tools: node_modules is a folder. Pass its files, such as node_modules/*\n'],
      [2, 'tools: There is no tool or command "nothing". Run: tools --help\n'],
      [
        2,
        'tools: There is no tool or command "merge". Did you mean merge_pdf? Run: tools --help\n',
      ],
      [
        2,
        'tools: There is no tool or command "compres-image". Did you mean compress_image? Run: tools --help\n',
      ],
      [2, 'tools: Set the environment variable TOOLS_KEY to your key.\n'],
      [2, 'tools: There is no file missing.json. Check the path.\n'],
      [2, expect.stringMatching(/The chain is not JSON: .+ Check its quotes, commas and brackets/)],
      [2, "tools: Unknown option '--wide'. Run: tools compress_image --help\n"],
      [2, "tools: Option '--format <value>' argument missing. Run: tools compress_image --help\n"],
      [2, "tools: Unknown option '-5'. Put -- after all options and before a negative number\n"],
      [2, expect.stringContaining('TOOLS_URL is not an HTTP URL: "localhost:8787".')],
    ]);
  });
});
