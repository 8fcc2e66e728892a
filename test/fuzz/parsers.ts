/** Lists every parser of bytes from a caller, page, file or model, with seeds for its inputs. */
import { readHocr } from '../../containers/media/operations/ocr/hocr.ts';
import { compressInSteps } from '../../containers/media/pdf/compress/compress-steps.ts';
import { Destinations } from '../../containers/media/pdf/destinations.ts';
import { PdfDocument } from '../../containers/media/pdf/document.ts';
import { takeInventory } from '../../containers/media/pdf/inventory.ts';
import { readOutlines } from '../../containers/media/pdf/outlines.ts';
import { pageDrawing } from '../../containers/media/pdf/page-drawing.ts';
import { readPages } from '../../containers/media/pdf/pages.ts';
import { rebuiltTail } from '../../containers/media/pdf/rebuild.ts';
import { readStructureTree } from '../../containers/media/pdf/structure-tree.ts';
import { hasTangledFields } from '../../containers/media/pdf/tangled-fields.ts';
import { browserName } from '../../src/access/accounts/browser-name.ts';
import { readCookie } from '../../src/access/accounts/sessions.ts';
import { bearerToken } from '../../src/access/bearer-token.ts';
import { embeddedJson, withoutThoughts } from '../../src/adapters/model-answer.ts';
import type { LargeCall } from '../../src/core/large-call.ts';
import { JsonBudget, replaceReferences, valueAt } from '../../src/execute/references.ts';
import { mediaTypeOf, parseObject } from '../../src/lib/body.ts';
import { contentDisposition, filenameOf, safeFilename, stemOf } from '../../src/lib/filename.ts';
import { otherKind, readableKind, svgRootOffset } from '../../src/lib/image-kind.ts';
import { capValue } from '../../src/mcp/cap-value.ts';
import { toMessage } from '../../src/mcp/json-rpc.ts';
import { acceptsMarkdown, acceptsProblem } from '../../src/rest/accept.ts';
import { readMultipart } from '../../src/rest/multipart.ts';
import { textHtml } from '../../src/site/markdown.ts';
import { cleanAnswer, unfenced } from '../../src/tools/clean-answer.ts';
import { emailBody } from '../../src/tools/draft_email/email-body.ts';
import { missingParts } from '../../src/tools/generate_blog_outline/outline-parts.ts';
import { sqlStatement } from '../../src/tools/generate_sql/sql-statement.ts';
import { openPlain } from '../../src/tools/plain-pdf.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { repairBoxes } from '../../src/tools/split_image/repair-boxes.ts';
import { parsePageRanges, partNames, selectPages } from '../../src/tools/split_pdf/page-ranges.ts';
import { checkUpload } from '../../src/tools/upload_file/upload-type.ts';
import { decodeHtml } from '../../src/web/charset.ts';
import { readHead } from '../../src/web/html-head.ts';
import { candidatesOf, manifestIcons } from '../../src/web/icon-candidates.ts';
import { measureImage } from '../../src/web/image-size.ts';
import { mainContent } from '../../src/web/main-content.ts';
import { metadataOf } from '../../src/web/page-metadata.ts';
import { checkUrl, parseWebUrl } from '../../src/web/public-url.ts';
import { runTool } from '../support/run-tool.ts';
import type { Near } from './edited-text.ts';
import { FONT_PARSERS } from './font-parsers.ts';
import { FEED, HTML_LINKS, HTML_PAGE, ICO, JSON_TEXT, MARKDOWN, PDF, pngOf } from './seeds.ts';

export interface ParserTarget extends Near {
  /** Parses the text. If the parser expects bytes, the text is converted with one byte per character (latin1). */
  parse(text: string): unknown;
  /** The allowed number of result characters per input character, if it is higher than the default. */
  growth?: number;
  /** Names of errors that the parser throws to reject an input, in addition to ToolError. */
  refuses?: readonly string[];
}

const PAGE = new URL('http://page.test/a/b?c');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const request = (headers: Record<string, string>) => {
  try {
    return new Request('http://localhost/', { headers });
  } catch {
    // The platform rejects this header value, and HTTP servers would not forward it.
    return new Request('http://localhost/');
  }
};
const named = (name: string) => TOOLS.find((tool) => tool.name === name)!;
const run = (name: string, parameters: Record<string, unknown>) =>
  runTool(named(name) as never, parameters);
const tool = (name: string, parameter: string, seeds: readonly string[]): ParserTarget => ({
  seeds,
  parse: async (text) => (await run(name, { [parameter]: text })).value,
});

/** Parses a multipart request. In `text`, an empty line separates the Content-Type header from the body. */
async function multipart(text: string): Promise<unknown> {
  const [type = '', ...rest] = text.split('\n\n');
  const headers = request({ 'Content-Type': type.slice(0, 8192) }).headers;
  const body = Buffer.from(rest.join('\n\n'), 'latin1');
  const spooling = {
    spool: () => ({
      write: async () => {},
      abort: async () => {},
      finish: async () => Promise.reject(new Error('no file of this size is spooled')),
    }),
    discard: async () => {},
  };
  const sent = new Request('http://localhost/', { method: 'POST', headers, body });
  const { parameters, files, warnings } = await readMultipart(sent, spooling, NO_QUEUE);
  return { parameters, files: files.map(({ name, size }) => [name, size]), warnings };
}

/** Replaces the queue of large calls. Nothing has to wait, because the parser runs one call at a time. */
const NO_QUEUE = { reserve: async () => {}, begin: async () => {} } as unknown as LargeCall;

const BODY = [
  '--b\r\nContent-Disposition: form-data; name="tool"\r\n\r\nupload_file\r\n',
  '--b\r\nContent-Disposition: form-data; name="parameters"\r\n\r\n{"a": 1}\r\n',
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"; filename*=UTF-8\'\'na%C3%AFve.pdf\r\n',
  'Content-Type: application/pdf; charset="utf-8"\r\nContent-Transfer-Encoding: binary\r\n\r\n%PDF-1.4\r\n--b--\r\n',
].join('');

async function head(text: string): Promise<unknown> {
  const read = await readHead(text, PAGE);
  const candidates = candidatesOf(read, PAGE, manifestIcons('{}', PAGE));
  return { metadata: metadataOf(read, PAGE.href, PAGE.href), candidates };
}

function pdf(text: string): unknown {
  const document = new PdfDocument(bytes(text));
  const pages = readPages(document);
  takeInventory(document);
  readStructureTree(document, pages);
  hasTangledFields(document);
  for (const page of pages.list.slice(0, 9)) pageDrawing(document, page);
  return [pages.list.length, readOutlines(document, new Destinations(document, pages)).length];
}

const CHAIN = JSON.stringify([
  { tool: 'encode_base64', parameters: { text: 'hi' }, id: 'a' },
  { tool: 'encode_url', parameters: { url: '{{prev.encoded}} {{steps.0.result.encoded}}' } },
  { tool: 'decode_url', parameters: { encoded: '{{steps.a.result.encoded}}' } },
]);
const HOCR = `<div class='ocr_page' title='image "a"; bbox 0 0 900 260; ppageno 0'>
<span class='ocr_line' id='line_1_1' title="bbox 93 27 628 56; baseline 0 -6; x_size 29; x_descenders 6">
<span class='ocrx_word' id='word_1_1' title='bbox 93 28 174 56; x_wconf 96'>Dear</span>
<span class='ocrx_word' id='word_1_2' title='bbox 187 33 258 56; x_wconf 96'>reader</span></span></div>`;
const SQL = `Sure!\n\`\`\`sql\nCREATE TRIGGER t BEFORE INSERT ON a BEGIN SELECT 'it''s', "b", $x$ c $x$; END;\n\`\`\`\nThis selects. /* a */ -- b`;
const ANSWER = `<think>Hm.</think>\nSure! Here is it:\n\n\`\`\`json\n{"panels":[{"x":1,"y":2,"width":3,"height":4}]}\n\`\`\`\n"Words."\n\nLet me know.`;

export const PARSERS: Record<string, ParserTarget> = {
  ...FONT_PARSERS,
  multipart: {
    seeds: [
      `multipart/form-data; boundary=b\n\n${BODY}`,
      `multipart/form-data; boundary="b"\n\n${BODY}`,
    ],
    pieces: ['--b', '\r\n', '; name=', '="a"', '; filename*=', ' ', '"', '\\"', '--b--', '='],
    parse: multipart,
  },
  charset: {
    seeds: [
      'text/html;charset=;a\n',
      'text/html\n<meta content="charset=;">',
      'text/html; charset="utf-8"\n<!doctype html><meta charset="utf-8"><title>é</title>',
      'text/html\n<head><meta http-equiv="Content-Type" content="text/html; charset = iso-8859-1">',
      'application/xml\n<?xml version="1.0" encoding="Shift_JIS"?><a/>',
    ],
    pieces: ['charset', 'charset=', '<meta ', 'content=', 'encoding=', '"'],
    parse: (text) => {
      const end = text.indexOf('\n');
      return decodeHtml(bytes(text.slice(end + 1)), text.slice(0, Math.max(0, end)));
    },
    refuses: ['RangeError [ERR_ENCODING_NOT_SUPPORTED]'],
  },
  'html-head': {
    seeds: [HTML_PAGE, HTML_LINKS],
    pieces: [
      '<base href="',
      '<link rel=icon href=1>\n',
      '<meta name=1 content=',
      '<script>',
      '<svg>',
      '<!--',
      'x',
    ],
    parse: head,
    // The limit is high, because every link repeats the base address. A page's metadata is limited to 512 KiB.
    growth: 64,
  },
  'linked-data': {
    seeds: [`<script type="application/ld+json">${JSON_TEXT}</script>`, HTML_PAGE],
    pieces: ['application/ld+json', '<script', '</script', '[', '{"@graph":[', '>'],
    parse: head,
  },
  'page-dates': {
    seeds: [
      '<p><time datetime="2023-01-01">x</time><span itemprop="datePublished">May 24, 2016</span>',
      '<p class="entry-date">Posted on <b>3rd September 2015</b> by Ada</p>',
    ],
    pieces: ['<time', 'date"', 'byline', ' September 2015', '12 ', 'title="', '<', '>'],
    parse: head,
  },
  'main-content': {
    seeds: [HTML_PAGE, `<article><p>${'A sentence of the article. '.repeat(20)}</p></article>`],
    pieces: [
      '<article>',
      '</main>',
      '<table><tr><td>',
      '<ol><li>',
      '<a href=/b>',
      '<pre>',
      '*',
      '`',
    ],
    // Each level of a quotation or list adds a prefix to its lines.
    growth: 16,
    parse: (text) => mainContent(text, PAGE),
  },
  hocr: {
    seeds: [HOCR],
    pieces: ["<span class='ocr", "x_word' title='", 'bbox 1 2 3 4', 'baseline 0 -6', '&amp;', '>'],
    parse: (text) => readHocr(text, 'Dear reader'),
  },
  feeds: {
    seeds: [FEED],
    pieces: ['<link', 'rel=alternate', '<![CDATA[', '&amp;', '&#1;'],
    parse: async (text) => (await readHead(text, PAGE, true)).links.length,
  },
  manifest: {
    seeds: [
      '{"icons":[{"src":"/icon-1.png","sizes":"192x192","purpose":"any"},{"src":"data:image/png;base64,AA==","type":"image/png"}]}',
    ],
    pieces: ['{"src":"/1"},', '"src":', '[', '../'],
    parse: (text) => manifestIcons(text, PAGE),
  },
  'image-size': {
    seeds: [
      ICO,
      pngOf(300, 200),
      'GIF89a\x10\0\x10\0\0\0\0;',
      '\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\0\x10\0\x10',
      'RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0',
      '\0\0\0\x1cftypavif\0\0\0\0avifmif1\0\0\0\x14ispe\0\0\0\0\0\0\0\x10\0\0\0\x10',
      'BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x10\0\0\0\x10\0\0\0',
    ],
    pieces: ['\xff', '\xff\xe0', '\0\0', '\0\0\x01\0', 'ispe', 'IHDR', 'VP8X'],
    parse: (text) => [measureImage(bytes(text)), readableKind(bytes(text)), otherKind(bytes(text))],
  },
  svg: {
    seeds: [
      '<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg xmlns="http://www.w3.org/2000/svg" width="1" height="2"/>',
    ],
    pieces: ['<!--', '-->', '<?', '?>', '<!DOCTYPE', '[', ']', '<svg '],
    parse: (text) => [measureImage(bytes(text)), svgRootOffset(text), readableKind(bytes(text))],
  },
  'upload-type': {
    seeds: [
      PDF,
      JSON_TEXT,
      'a,b\n1,2\n',
      HTML_PAGE,
      pngOf(3, 4),
      'PK\x03\x04\x14\0\0\0\0\0',
      'Rar!\x1a\x07\0',
      '\xff\xfea\0b\0',
    ],
    parse: (text) => {
      const content = bytes(text);
      return checkUpload(content.subarray(0, 4100), undefined, 'a.bin');
    },
  },
  json: {
    seeds: [JSON_TEXT],
    pieces: ['[', '{"a":', '[[', '{},', '"a":1,', '\\u0000', '1e', '"'],
    parse: (text) => {
      const value = parseObject(text, 'The body', undefined);
      capValue(value, 6000);
      return value;
    },
  },
  'json-rpc': {
    seeds: [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":1},"_meta":{}}}',
    ],
    pieces: ['"id":1,', '[', '{'],
    parse: (text) => toMessage(json(text)),
  },
  chain: {
    seeds: [CHAIN],
    pieces: [
      '{{',
      '}}',
      '{{prev.encoded}}',
      '{{steps.0.result.encoded}}',
      '{"tool":"encode_base64"},',
      '.',
      '__proto__',
    ],
    parse: (text) => {
      const budget = new JsonBudget();
      return replaceReferences(
        json(text),
        (reference) => valueAt({ encoded: 'x' }, reference),
        budget,
      );
    },
  },
  cookies: {
    seeds: [
      'session=abc; __Host-session=0123456789abcdefghijABCDEFGHIJ0123456789abc; github=x.y',
      'a=b; session="q"',
    ],
    pieces: [';', '=', 'session=', ' '],
    parse: (text) => [
      readCookie(request({ Cookie: text }), 'session'),
      readCookie(request({ Cookie: text }), 'github'),
    ],
  },
  accept: {
    seeds: [
      'text/markdown;q=0.9, application/json;q=0.8, */*',
      'application/problem+json, application/json;q=0.1;a="b,c"',
    ],
    pieces: [',', ';', 'q=', 'application/problem+json'],
    parse: (text) => [acceptsMarkdown(text), acceptsProblem(text), mediaTypeOf(text)],
  },
  authorization: {
    seeds: [`Bearer tsk_${'a'.repeat(38)}`, 'Basic dTpw'],
    pieces: ['Bearer', '='],
    parse: bearerToken,
  },
  'user-agent': {
    seeds: [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/1.2',
    ],
    pieces: ['Chrome/', 'Mozilla/', '('],
    parse: browserName,
  },
  filename: {
    seeds: [
      'attachment; filename="a b.pdf"; filename*=UTF-8\'\'na%C3%AFve.pdf',
      '../../etc/passwd',
      'C:\\a\\b.tar.gz',
      'CON.txt ',
    ],
    pieces: ['filename=', '/', '\\', '..', '.', '"'],
    parse: (text) => {
      const name = safeFilename(filenameOf(text, text));
      return [name, stemOf(name, 'pdf'), contentDisposition('inline', name)];
    },
  },
  'web-url': {
    seeds: [
      'https://user:pw@example.com:8080/a/../b?c=d#e',
      'http://[::ffff:127.0.0.1]/',
      'http://0x7f.1/',
      'xn--bcher-kva.example',
    ],
    pieces: ['http://', '@', ':', '[', '//', '%2f', 'xn--', '\\'],
    parse: (text) => {
      const url = parseWebUrl(text, 'url', true);
      checkUrl(url);
      return url.href;
    },
  },
  'page-ranges': {
    seeds: ['1-3,5', '7', ' 1 - 3 , 9-9 ', '1-99999,2-88888'],
    pieces: [',', '-', '1-100000,', ' '],
    parse: (text) => {
      const spans = parsePageRanges(text);
      return [selectPages(spans, 500).length, partNames([spans])];
    },
  },
  pdf: {
    seeds: [PDF],
    pieces: [
      '1 0 R',
      '<<',
      '>>',
      '[',
      ']',
      '(',
      ')',
      'obj',
      'endobj',
      'stream\n',
      'endstream',
      '/Kids',
      '/Prev 9',
      '/Length 9',
      'xref',
      'trailer',
      '%',
    ],
    parse: pdf,
    refuses: ['PdfDamage', 'Error'],
  },
  'pdf-rebuild': {
    seeds: [PDF],
    pieces: ['1 0 obj', '\n2 0 obj\n<', 'obj', 'trailer', 'stream', 'xref'],
    parse: (text) => rebuiltTail(bytes(text))?.length,
    refuses: ['PdfDamage', 'Error'],
  },
  'pdf-compress': {
    seeds: [PDF],
    pieces: [
      '1 0 R',
      '<<',
      '>>',
      '[',
      'obj',
      'stream\n',
      '/Font',
      ' Tj',
      '/Filter /LZWDecode',
      'BI ID',
    ],
    parse: (text) => compressInSteps(new PdfDocument(bytes(text)), new Set()).bytes.length,
    refuses: ['PdfDamage', 'Error'],
  },
  'pdf-lib': {
    seeds: [PDF],
    pieces: ['1 0 R', '<<', '[', 'obj', 'stream', '/Kids'],
    parse: async (text) => (await openPlain(bytes(text)))?.getPageCount(),
  },
  markdown: {
    most: 10000,
    seeds: [MARKDOWN],
    pieces: ['[', '](', '**', '_', '`', '|', '> ', '- ', '<a', '![', '\n\n', '&'],
    parse: textHtml,
  },
  sql: {
    most: 5000,
    seeds: [SQL, "SELECT 'a\\'b' FROM t WHERE x = $1;"],
    pieces: [
      '/*',
      '*/',
      '$a$',
      "'",
      '"',
      '`',
      '[',
      'BEGIN',
      'END',
      ';',
      '\n\n',
      '--',
      '\\',
      'CREATE ',
    ],
    parse: sqlStatement,
  },
  'model-answer': {
    most: 15000,
    seeds: [ANSWER],
    pieces: ['<think>', '</think>', '```', '\n', '{', '}', '[', '"', 'Sure! '],
    parse: (text) => [
      withoutThoughts(text).length,
      cleanAnswer(text, 'A source.').length,
      unfenced(text).length,
      embeddedJson(text),
    ],
  },
  'model-email': {
    most: 4000,
    seeds: [`${ANSWER}\nSubject: Hello\n\nDear all,\n\nHello.\n\nBest,\n[Your Name]`],
    pieces: ['Subject:', '\n', '*', ' '],
    parse: emailBody,
  },
  'model-outline': {
    most: 10000,
    seeds: [
      '# Title\n## Introduction\n## 1. Part\n### 1.1 Piece\n- So?\n## Conclusion\n## FAQ\n- So?',
    ],
    pieces: ['#', '## ', '\n', '- ', '1.'],
    parse: (text) => missingParts(text, 5),
  },
  'model-boxes': {
    seeds: ['[{"x":1,"y":2,"width":300,"height":400},{"x":0.5,"y":0.1,"width":0.5,"height":0.5}]'],
    pieces: ['{"x":1,"y":2,"width":30,"height":40},'],
    parse: (text) => {
      const boxes = json(text);
      const isBox = (box: unknown) =>
        ['x', 'y', 'width', 'height'].every((side) => typeof (box as never)?.[side] === 'number');
      return Array.isArray(boxes) && boxes.every(isBox) ? repairBoxes(boxes, 1000, 800) : null;
    },
  },
  decode_jwt: {
    seeds: [
      '{"alg":"HS256","typ":"JWT"}\n{"sub":"1","exp":1893456000}\nc2ln',
      '{"alg":"none"}\n{"a":[1,{"b":2}]}\n',
    ],
    pieces: ['[', '{"a":', '.', '"exp":1e400'],
    parse: async (text) => {
      const [header = '', payload = '', ...rest] = text.split('\n');
      const encoded = [header, payload].map((part) => Buffer.from(part).toString('base64url'));
      return (await run('decode_jwt', { token: [...encoded, rest.join('\n')].join('.') })).value;
    },
  },
  decode_base64: tool('decode_base64', 'encoded', [
    'aGVsbG8=',
    'data:text/plain;charset=utf-8;base64,aGk=',
    'aGk\n aGk-_',
  ]),
  decode_url: tool('decode_url', 'encoded', ['a%20b+c%C3%A9', '%E2%82%AC%zz%']),
  // The result contains the text twice, and an unpaired surrogate takes seven characters in nested
  // JSON.
  format_json: { ...tool('format_json', 'json', [JSON_TEXT]), growth: 16 },
  compare_text: {
    // Each changed line becomes an object in the result, which contains at most 250,000 changes.
    growth: 64,
    seeds: ['a\nb\nc\n\f\na\nc\nd\n', 'one two\n'.repeat(20)],
    pieces: ['\f', '1\n', 'a\n', '\n'],
    parse: async (text) => {
      const [text1 = '', text2 = ''] = text.split('\f');
      return (await run('compare_text', { text1, text2 })).value;
    },
  },
};

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
