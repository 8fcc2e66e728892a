import { expect, it } from 'vitest';
import { ColoredJson } from './colored-json.tsx';

const markup = (json: string) => (<ColoredJson json={json} />).toString();

it('marks names, strings, numbers and literals, and changes no character', async () => {
  const json = '{\n  "a \\": b": ["x: <y>", -1.5e+3, true, null, ""],\n  "c" : {}\n}';
  const html = await markup(json);
  expect(html).toContain('<span class="hljs-attr">&quot;a \\&quot;: b&quot;</span>:');
  expect(html).toContain('<span class="hljs-string">&quot;x: &lt;y&gt;&quot;</span>,');
  expect(html).toContain('<span class="hljs-literal">-1.5e+3</span>');
  const text = html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  expect(text).toBe(json);
});

it('shows long text without colors', async () => {
  expect(await markup(`"${'x'.repeat(60_000)}"`)).not.toContain('<span');
});
