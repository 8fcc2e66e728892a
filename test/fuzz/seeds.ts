/**
 * Contains small valid inputs. The fuzzer derives the parsers' inputs from them. Binary inputs have one character per
 * byte (latin1).
 */

export const HTML_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tea &amp; biscuits</title>
<base href="http://page.test/x/">
<meta name="description" content="Forty teas">
<meta property="og:title" content="Tea"><meta property="og:image" content="/card-1.png">
<meta name="twitter:card" content="summary">
<meta name="theme-color" content="#008080" media="(prefers-color-scheme: light)">
<link rel="canonical" href="/"><link rel="manifest" href="/m.json">
<link rel=alternate type=application/rss+xml href=/feed-1.xml>
<link rel=icon href=/icon-1.png sizes=32x32>
<script type="application/ld+json">{"@graph":[{"author":{"name":"Ada"}}]}</script>
<svg><title>No</title></svg></head><body><h1>Tea</h1></body></html>
`;

export const HTML_LINKS = `<base href="http://page.test/x/">
<link rel=alternate type=application/rss+xml href=feed-1.xml>
<link rel=icon href=icon-1.png>
<meta property="og:image" content="card-1.png">
`;

export const FEED = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News &amp; more</title>
<link>http://page.test/</link><atom:link rel="self" href="http://page.test/feed"/>
<item><title><![CDATA[One]]></title><link>http://page.test/1</link></item>
</channel></rss>
`;

export const JSON_TEXT =
  '{"author":[{"name":"Ada","n":-1.5e3}],"a":{"b":[true,false,null,""],"c":"\\u00e9\\n"},"__proto__":{"x":1},"a":2}';

export const MARKDOWN = `# Title

A *plain* paragraph with \`code\`, a [link](https://example.com "t"), **bold** and <b>html</b>.

## Part one

- one
  - two
1. three

| a | b |
|---|---|
| 1 | 2 |

> quoted

\`\`\`js
let a = 1;
\`\`\`
![image](a.png)
`;

export const ICO = `\0\0\x01\0\x02\0${'\x10\x10\0\0\x01\0\x20\0\x68\x04\0\0\x26\0\0\0'.repeat(2)}`;

/** Returns the header of a PNG image. */
export const pngOf = (width: number, height: number): string => {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return `\x89PNG\r\n\x1a\n\0\0\0\rIHDR${size.toString('latin1')}\x08\x02\0\0\0\0\0\0\0`;
};

/** A PDF of two pages with outlines, names, a form, a link and a cross-reference table. */
export const PDF = pdfOf([
  '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R /Names << /Dests 9 0 R >> /AcroForm << /Fields [10 0 R] >> >>',
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 200 200] >>',
  '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << >> /Annots [10 0 R 11 0 R] >>',
  '<< /Type /Page /Parent 2 0 R /Rotate 90 >>',
  '<< /Length 12 >>\nstream\n0 0 10 10 re\nendstream',
  '<< /Type /Outlines /First 7 0 R /Last 8 0 R /Count 2 >>',
  '<< /Title (One) /Parent 6 0 R /Next 8 0 R /Dest [3 0 R /Fit] >>',
  '<< /Title (Two) /Parent 6 0 R /Prev 7 0 R /A << /S /GoTo /D (n) >> >>',
  '<< /Names [(n) [4 0 R /XYZ 0 0 0]] /Limits [(n) (n)] >>',
  '<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V (v) /Rect [0 0 9 9] /P 3 0 R >>',
  '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoTo /D [4 0 R /Fit] >> >>',
]);

function pdfOf(objects: readonly string[]): string {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}
