/** Implements the baseline for encode_base64 and the pages: a minimal Hono app with the same call and a plain page. */
import { Hono } from 'hono';

const app = new Hono();
const utf8 = new TextEncoder();

app.post('/api/v1/tools/execute', async (c) => {
  const { parameters } = await c.req.json<{ parameters: { text: string } }>();
  return c.json({ encoded: utf8.encode(parameters.text).toBase64() });
});

app.get('/page', (c) =>
  c.html(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,"><h1>A page</h1><p>Without anything.</p>',
  ),
);

export default app;
