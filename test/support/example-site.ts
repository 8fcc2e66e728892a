/** Serves `shop.example`, the documents' example site (docs/content.md). */
import sharp from 'sharp';
import { type Answer, html } from './upstream.ts';

export const EXAMPLE_HOST = 'shop.example';

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tea and biscuits</title>
<meta name="description" content="Forty teas, and what goes with them."><link rel="canonical" href="/">
<meta name="theme-color" content="#008080"><meta property="og:title" content="Tea and biscuits">
<meta property="og:site_name" content="The shop"><meta property="og:image" content="https://${EXAMPLE_HOST}/card.png">
<link rel="alternate" type="application/rss+xml" href="/news.xml"><link rel="icon" href="/icon.png" sizes="32x32">
<link rel="apple-touch-icon" href="/touch.png"><style>body{font:20px sans-serif}#banner{background:#fc6;padding:20px}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}</style></head>
<body><div id="banner">We use cookies.</div><h1>Tea and biscuits</h1><p id="price">Assam, 4.90</p><div style="height:2000px"></div></body></html>`;

const image =
  (width: number, height: number): Answer =>
  async (_, response) => {
    const background = 'teal';
    const png = await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(png);
  };

const page: Answer = (_, response) => html(response, PAGE);

/** The responses of the example site, by host and path. */
export const EXAMPLE_SITE: Record<string, Answer> = {
  [`${EXAMPLE_HOST}/`]: page,
  [`${EXAMPLE_HOST}/icon.png`]: image(32, 32),
  [`${EXAMPLE_HOST}/touch.png`]: image(180, 180),
  [`${EXAMPLE_HOST}/card.png`]: image(1200, 630),
};
