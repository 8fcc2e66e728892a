/**
 * Creates the README image, which shows the home page in both themes after its sample chain has run. Run it with
 * `npm run readme-image -- [ADDRESS]`. The default is the address of `npm start`.
 */
import { mkdirSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { CHROMIUM_PATH } from './chromium-path.ts';

/** The x coordinate, between two columns, at which the image changes from the light theme to the dark theme. */
const SPLIT = 679;
const FILE = 'docs/images/home.webp';
const VIEWPORT = { width: 1280, height: 720 };
/** The width of the image in pixels, which is GitHub's maximum on a screen with a pixel ratio of two. */
const WIDTH = 1600;

const [address = 'http://localhost:8787'] = process.argv.slice(2);

const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const light = await homeAfterRun('light');
  const dark = await homeAfterRun('dark');
  const half = { ...VIEWPORT, left: SPLIT, top: 0, width: VIEWPORT.width - SPLIT };
  const pixels = Object.fromEntries(Object.entries(half).map(([name, value]) => [name, value * 2]));
  const right = await sharp(dark)
    .extract(pixels as typeof half)
    .toBuffer();
  mkdirSync('docs/images', { recursive: true });
  const joined = await sharp(light)
    .composite([{ input: right, left: pixels.left!, top: 0 }])
    .toBuffer();
  const { size } = await sharp(joined).resize({ width: WIDTH }).webp({ quality: 80 }).toFile(FILE);
  console.log(`${FILE}: ${Math.ceil(size / 1000)} kB`);
} finally {
  await browser.close();
}

async function homeAfterRun(colorScheme: 'light' | 'dark'): Promise<Buffer> {
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme, deviceScaleFactor: 2 });
  await page.goto(address);
  await runChain(page);
  const image = await page.screenshot();
  await page.close();
  return image;
}

async function runChain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run it with a sample' }).click();
  await page.getByText('Scan it to open the PDF.').waitFor({ timeout: 120_000 });
  // The home page renders the PDF's first page last.
  await page.locator('#try canvas[aria-label]').waitFor({ timeout: 120_000 });
  await page.locator('h1').click();
}
