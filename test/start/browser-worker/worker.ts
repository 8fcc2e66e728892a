/** Implements a Worker that renders its own page through the browser binding. */
import puppeteer, { type BrowserWorker } from '@cloudflare/puppeteer';

export default {
  async fetch(_request: Request, env: { BROWSER: BrowserWorker }): Promise<Response> {
    const browser = await puppeteer.launch(env.BROWSER);
    try {
      const page = await browser.newPage();
      await page.setContent('<h1>rendered</h1><script>document.title = "by " + "script"</script>');
      const image = await page.screenshot({ type: 'png' });
      return Response.json({
        version: await browser.version(),
        title: await page.title(),
        signature: [...image.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(''),
      });
    } finally {
      await browser.close();
    }
  },
};
