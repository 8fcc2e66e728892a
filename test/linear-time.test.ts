/** Checks that every parser of caller input runs in linear time. Counts executed steps instead of measuring time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCounting, stepsOf, stopCounting } from './support/counted-steps.ts';

type Run = () => unknown;
type Parser = [name: string, load: () => Promise<(size: number) => Run>];

const SIZE = 8192;
/** Linear work doubles when the input doubles. The limit includes a tolerance of 10%. */
const MAX_GROWTH = 2.2;

const utf8 = new TextEncoder();
const DISPOSITION = 'Content-Disposition: form-data; name="a"';

/** Builds a multipart body, which the parser receives in chunks of `chunk` bytes. */
const multipart =
  (boundary: string, chunk: number, content: (size: number) => string) => async () => {
    const { MultipartParser } = await import('../src/rest/multipart-parser.ts');
    return (size: number) => {
      const head = `--${boundary}\r\n${DISPOSITION}\r\n\r\n`;
      const body = utf8.encode(`${head}${content(size)}\r\n--${boundary}--`);
      return () => {
        const parser = new MultipartParser(boundary);
        for (let at = 0; at < body.length; at += chunk) {
          for (const _ of parser.write(body.subarray(at, at + chunk)));
        }
        parser.end();
      };
    };
  };

const headers = (line: (size: number) => string) => async () => {
  const { parsePartHeader } = await import('../src/rest/part-header.ts');
  return (size: number) => {
    const bytes = utf8.encode(line(size));
    return () => parsePartHeader(bytes);
  };
};

const parameters = (value: (size: number) => string) => async () => {
  const { headerParameters } = await import('../src/lib/header-parameters.ts');
  return (size: number) => {
    const text = value(size);
    return () => headerParameters(text);
  };
};

const repeated = (text: string) => (size: number) => text.repeat(Math.ceil(size / text.length));

const LONG = 'a'.repeat(256);
const LOOK_ALIKE = `\r\n--${'a'.repeat(255)}`;
const OPEN_LINE = `\r\n--${LONG}${' '.repeat(255)}x`;

const request = (name: string, value: string) =>
  new Request('http://localhost/', { headers: { [name]: value } });

const PARSERS: Parser[] = [
  ...[1, 7, 65_536].flatMap((chunk): Parser[] => [
    [
      `multipart content of the boundary's letters, ${chunk} bytes at a time`,
      multipart(LONG, chunk, repeated('a')),
    ],
    [
      `multipart look-alikes, ${chunk} bytes at a time`,
      multipart(LONG, chunk, repeated(LOOK_ALIKE)),
    ],
    [
      `multipart lines left open, ${chunk} bytes at a time`,
      multipart(LONG, chunk, repeated(OPEN_LINE)),
    ],
    [`multipart line breaks, ${chunk} bytes at a time`, multipart('a', chunk, repeated('\r\n'))],
    [`multipart carriage returns, ${chunk} bytes at a time`, multipart('a', chunk, repeated('\r'))],
    [
      `multipart spaces behind a boundary, ${chunk} bytes at a time`,
      multipart('a', chunk, (size) => `\r\n--a${' '.repeat(size)}`),
    ],
  ]),
  ['a part header of spaces', headers((size) => `${DISPOSITION}; x=${' '.repeat(size)}"`)],
  ['part headers of continued lines', headers((size) => `X: y${repeated('\r\n z')(size)}`)],
  ['many part headers', headers((size) => `${repeated('X: y\r\n')(size)}`)],
  ['parameters of spaces', parameters((size) => `a; x=${' '.repeat(size)}"`)],
  ['parameters of semicolons', parameters(repeated(';'))],
  ['parameters of open quotes', parameters(repeated(';a="'))],
  ['parameters of escaped quotes', parameters(repeated(';a="\\"'))],
  ['parameters of backslashes', parameters((size) => `;a="${'\\'.repeat(size)}`)],
  ['parameters of closed quotes and spaces', parameters(repeated(';a="b"   c'))],
  ['parameters of names', parameters(repeated(';a'))],
  [
    'a boundary',
    async () => {
      const { boundaryOf } = await import('../src/rest/multipart-parser.ts');
      return (size) => () => boundaryOf(`multipart/form-data; boundary="${'\\a'.repeat(size)}"`);
    },
  ],
  [
    'file names',
    async () => {
      const { filenameOf, safeFilename } = await import('../src/lib/filename.ts');
      return (size) => () => {
        safeFilename(repeated('..a/')(size));
        safeFilename(repeated('. ')(size));
        filenameOf(`attachment; filename="${repeated('\\"')(size)}"`, repeated('/a')(size));
      };
    },
  ],
  [
    'paths',
    async () => {
      const { canonicalPath } = await import('../src/core/trim-end.ts');
      return (size) => () => canonicalPath(`a${'/'.repeat(size)}b`);
    },
  ],
  [
    'Accept',
    async () => {
      const { acceptsMarkdown, acceptsProblem } = await import('../src/rest/accept.ts');
      return (size) => () => {
        acceptsMarkdown(repeated('text/html;q=1,')(size));
        acceptsProblem(repeated(';;q=,')(size));
      };
    },
  ],
  [
    'Prefer',
    async () => {
      // The variable hides the import from the type checker, which lacks the Worker's types here.
      const path = '../src/exchange.ts';
      const { Exchange } = await import(path);
      return (size) => {
        const requested = request('Prefer', repeated(', respond-async x')(size));
        return () => new Exchange(requested).prefersAsync;
      };
    },
  ],
  [
    'cookies',
    async () => {
      const { readCookie } = await import('../src/access/accounts/sessions.ts');
      return (size) => {
        const requested = request('Cookie', repeated('a=b; ')(size));
        return () => readCookie(requested, 'session');
      };
    },
  ],
  [
    'Authorization',
    async () => {
      const { bearerToken } = await import('../src/access/bearer-token.ts');
      return (size) => () => bearerToken(`Bearer ${repeated('a ')(size)}`);
    },
  ],
  [
    'media types',
    async () => {
      const { isMediaType, mediaTypeOf } = await import('../src/lib/body.ts');
      return (size) => () => isMediaType(mediaTypeOf(repeated('a/b ;')(size)));
    },
  ],
  [
    'the bounds of JSON',
    async () => {
      const { jsonExcess } = await import('../src/lib/json-bounds.ts');
      return (size) => () => jsonExcess(repeated('[{"a":"\\\\"}],')(size), 1000, 1e9);
    },
  ],
  [
    'references of a chain',
    async () => {
      const { replaceReferences, JsonBudget } = await import('../src/execute/references.ts');
      return (size) => () => {
        for (const text of ['{{', '{{a', '{{prev.a}} ', '{{steps.0.result.a}}', '{{prev.[0]']) {
          replaceReferences([repeated(text)(size)], () => 'x', new JsonBudget());
        }
      };
    },
  ],
  [
    'page ranges',
    async () => {
      const { parsePageRanges } = await import('../src/tools/split_pdf/page-ranges.ts');
      return (size) => () => parsePageRanges(repeated('1 - 2,')(size / 8));
    },
  ],
  [
    'a JWT',
    async () => {
      const { decodeJwt } = await import('../src/tools/decode_jwt/decode_jwt.ts');
      return (size) => {
        const token = `${btoa('{"a":1}')}.${btoa(`{"a":"${'a'.repeat(size)}"}`)}.`;
        return () => decodeJwt.run!({ token } as never, {} as never);
      };
    },
  ],
  [
    'the beginning of an SVG',
    async () => {
      const { svgRootOffset } = await import('../src/lib/image-kind.ts');
      return (size) => () => {
        for (const prolog of ['<!---->', '<??>', '<!DOCTYPE>', '<!DOCTYPE[]>', '<!DOCTYPE [']) {
          svgRootOffset(`${repeated(prolog)(size)}<svg>`);
        }
      };
    },
  ],
  [
    'the kind of an upload',
    async () => {
      const { checkUpload } = await import('../src/tools/upload_file/upload-type.ts');
      return (size) => {
        const heads = ['<', '<!---->', ' ', 'GIF89a', '\u0000'].map((text) =>
          utf8.encode(repeated(text)(size)),
        );
        return async () => {
          for (const head of heads) await checkUpload(head, 'text/plain', repeated('.a')(size));
        };
      };
    },
  ],
  [
    'single bytes of a body',
    async () => {
      const { readBounded } = await import('../src/lib/body.ts');
      return (size) => {
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (let at = 0; at < size; at += 1) controller.enqueue(Uint8Array.of(1));
            controller.close();
          },
        });
        return () => readBounded(body, size);
      };
    },
  ],
];

beforeAll(startCounting);
afterAll(stopCounting);

it.each(PARSERS)('the work is linear for %s', async (_, load) => {
  const make = await load();
  // The first run includes work that happens only once, such as loading a module.
  await stepsOf(make(SIZE));
  const once = await stepsOf(make(SIZE));
  const twice = await stepsOf(make(2 * SIZE));
  expect(once).toBeGreaterThan(0);
  expect(twice / once).toBeLessThan(MAX_GROWTH);
});

it('the counter detects quadratic work', async () => {
  const square = (size: number) => () => {
    const text = 'a'.repeat(size);
    for (let at = 0; at < size; at += 1) text.indexOf('b', at);
  };
  const growth = (await stepsOf(square(2 * SIZE))) / (await stepsOf(square(SIZE)));
  expect(growth).toBeGreaterThan(3.5);
});
