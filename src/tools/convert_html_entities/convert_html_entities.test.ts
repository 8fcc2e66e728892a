import { expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { convertHtmlEntitiesHere } from './in-browser.ts';

it.each([
  [undefined, '<a b="é">\'&', '&lt;a b=&quot;é&quot;&gt;&apos;&amp;'],
  ['escape-all', '<é>', '&lt;&eacute;&gt;'],
  ['decode', '&lt;caf&eacute;&#x21;&#33;&nbsp;&unknown; &copy', '<café!!\u00a0&unknown; ©'],
])('convert_html_entities %s turns %s into %s', async (mode, text, result) => {
  expect((await runTool(convertHtmlEntitiesHere, { text, mode })).value).toEqual({ text: result });
});
