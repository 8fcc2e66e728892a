/** What encode_base64 is measured against: the least that Hono needs to answer the same. */
import { Hono } from 'hono';

const app = new Hono();
const utf8 = new TextEncoder();

app.post('/api/v1/tools/execute', async (c) => {
  const { parameters } = await c.req.json<{ parameters: { text: string } }>();
  return c.json({ encoded: utf8.encode(parameters.text).toBase64() });
});

export default app;
