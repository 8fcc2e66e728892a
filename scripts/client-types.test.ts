/** Tests that the client's types match the tool definitions. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { isExecutable } from '../src/catalogue/catalogue.ts';
import type { ToolTypes } from '../src/client/tool-types.gen.ts';
import type { compareText } from '../src/tools/compare_text/compare_text.ts';
import type { decodeJwt } from '../src/tools/decode_jwt/decode_jwt.ts';
import { encodeBase64 } from '../src/tools/encode_base64/encode_base64.ts';
import type { fetchPageMetadata } from '../src/tools/fetch_page_metadata/fetch_page_metadata.ts';
import { formatJson } from '../src/tools/format_json/format_json.ts';
import type { generateQrCode } from '../src/tools/generate_qr_code/generate_qr_code.ts';
import type { parseDocument } from '../src/tools/parse_document/parse_document.ts';
import { TOOLS } from '../src/tools/registry.ts';
import type { splitPdf } from '../src/tools/split_pdf/split_pdf.ts';
import { toolTypes } from './client-types.ts';

interface Definitions {
  compare_text: typeof compareText;
  decode_jwt: typeof decodeJwt;
  encode_base64: typeof encodeBase64;
  fetch_page_metadata: typeof fetchPageMetadata;
  format_json: typeof formatJson;
  generate_qr_code: typeof generateQrCode;
  parse_document: typeof parseDocument;
}
type Results = { [N in keyof Definitions]: z.output<NonNullable<Definitions[N]['output']>> };

describe('the client types', () => {
  it('match the schemas', () => {
    expectTypeOf<{ [N in keyof Definitions]: ToolTypes[N]['result'] }>().toEqualTypeOf<Results>();
    expectTypeOf<ToolTypes['encode_base64']['parameters']>().toEqualTypeOf<
      z.input<typeof encodeBase64.input>
    >();
    expectTypeOf<ToolTypes['compare_text']['parameters']>().toEqualTypeOf<
      z.input<typeof compareText.input>
    >();
    expectTypeOf<ToolTypes['split_pdf']['parameters']>().toExtend<z.input<typeof splitPdf.input>>();
  });

  it('list every callable tool', () => {
    const types = toolTypes(TOOLS);
    const named = [...types.matchAll(/^ {2}(\w+): \{$/gm)].map(([, name]) => name);
    expect(named).toEqual(TOOLS.filter(isExecutable).map(({ name }) => name));
  });

  it('change with a tool definition', () => {
    const changed = { ...encodeBase64, input: encodeBase64.input.extend({ urlSafe: z.boolean() }) };
    const before = toolTypes([encodeBase64]);
    const after = toolTypes([changed]);
    expect(before).not.toContain('urlSafe');
    expect(after).toContain('urlSafe: boolean;');
  });

  it('reject a schema that they cannot represent', () => {
    const output = z.object({ a: z.string() }).meta({ type: 'date' as 'string' });
    expect(() => toolTypes([{ ...formatJson, output }])).toThrow('Unsupported JSON Schema');
  });
});
