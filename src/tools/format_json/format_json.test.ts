import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { formatJson } from './format_json.ts';
import { formatJsonHere } from './in-browser.ts';

const format = async (json: unknown, indent?: unknown) =>
  (await runTool(formatJson, indent === undefined ? { json } : { json, indent })).value as {
    valid: boolean;
    formatted: string;
    minified: string;
  };

const refusal = (part: string) => ({
  status: 400,
  param: 'json',
  message: expect.stringContaining(part),
});

const isAccepted = (json: string) =>
  format(json).then(
    () => true,
    (error: { status: number }) => {
      expect(error.status).toBe(400);
      return false;
    },
  );

/** Generates keys that keep their order in an object and have no special meaning. */
const key = fc.string({ unit: 'binary' }).filter((k) => !/^\d+$/.test(k) && k !== '__proto__');
const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, '', '\ud800', '"\\/\b\f\n\r\t\u2028\u007f'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));

const { set: original } = Map.prototype;

describe('format_json', () => {
  it('returns the formatted and the minified JSON', async () => {
    expect(await format('{"a" : [1, {"b":null}], "c":"d"}')).toEqual({
      valid: true,
      formatted: '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": "d"\n}',
      minified: '{"a":[1,{"b":null}],"c":"d"}',
    });
  });

  it('formats every value like JSON.stringify, for every indent and input format', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyJson,
        fc.integer({ min: 0, max: 10 }),
        fc.constantFrom(undefined, 1, '\t', '\r\n '),
        async (value, indent, space) => {
          const { formatted, minified } = await format(JSON.stringify(value, null, space), indent);
          expect(formatted).toBe(JSON.stringify(value, null, indent));
          expect(minified).toBe(JSON.stringify(value));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('accepts and rejects the same edge cases as JSON.parse', async () => {
    const tokens =
      '[ ] { } : , " \\ \\u u00e9 0 1 -1 - + . 1.5 e E true fals null a "a" \t \n \u00a0';
    const pieces = fc.constantFrom(...tokens.split(' '), ' ', '\u0001', '\ufeff', '\ud800');
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 9 }), async (parts) => {
        const text = parts.join('');
        let parsed = true;
        try {
          JSON.parse(text);
        } catch {
          parsed = false;
        }
        expect(await isAccepted(text)).toBe(parsed);
      }),
      { numRuns: 5000 },
    );
  });

  it('accepts everything that RFC 8259 allows', async () => {
    const texts =
      '0|-0|1.0|1e5|1E+05|-1.5e-300|""|"\\u00e9\\/\\b"|true|false|null|[]|{}|[[],{}]|{"":0}|"\u2028"|"\x7f"';
    for (const text of texts.split('|'))
      expect(await isAccepted(` \t\r\n${text} \t\r\n`)).toBe(true);
  });

  it('rejects everything that RFC 8259 forbids', async () => {
    const texts =
      '||01|-|+1|.5|1.|1e|1e+|0x1|1_0|NaN|Infinity|-Infinity|undefined|tru|True|nulll|"|"a|"\\x"|"\\u12g4"|"\\u123"|\'a\'|"\t"|"\n"|"\0"|[|]|[1|[1,|[,1]|[1 2]|{|}|{"a"|{"a":|{"a":1|{"a":1,|{a:1}|{1:1}|{"a" 1}|{"a",1}|[1}|{"a":1]|1 2|[]]|{}{}|\u00a01|\v1|1\0';
    for (const text of texts.split('|'))
      expect([text, await isAccepted(text)]).toEqual([text, false]);
  });

  it('rejects comments and trailing commas', async () => {
    for (const text of ['[1,]', '{"a":1,}', '// a\n1', '/* a */ 1', '1 # a']) {
      expect(await isAccepted(text)).toBe(false);
    }
  });

  it.each([
    ['', 'line 1, column 1: expected a value, but found the end of the text'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected a comma or }, but found "b"'],
    ['[1 2', 'line 1, column 4: expected a comma or ], but found 2'],
    ['[\r\n1,\r\n]', 'line 3, column 1: expected a value after the comma, but found ]'],
    ['{"a":1,}', 'line 1, column 8: expected a key in double quotes after the comma, but found }'],
    ["{'a': 1}", "line 1, column 2: expected a key in double quotes or }, but found 'a'"],
    ['{"a" 1}', 'line 1, column 6: expected a colon, but found 1'],
    ['{"a": undefined}', 'line 1, column 7: expected a value, but found undefined'],
    ['1.', 'line 1, column 3: expected a digit, but found the end of the text'],
    ['{} x', 'line 1, column 4: expected the end of the text, but found x'],
    ['\u00a01', 'line 1, column 1: expected a value, but found U+00A0'],
    [
      '"a\nb"',
      'line 1, column 3: expected the closing " or an escape such as \\n, but found a line break',
    ],
    ['"a', 'line 1, column 3: expected the closing " of a string, but found the end of the text'],
    ['"\\x"', 'line 1, column 3: expected an escape such as \\n or \\\\, but found x'],
    ['"\\u12g"', 'line 1, column 6: expected four hexadecimal digits after \\u, but found g'],
  ])(
    'rejects %j with the position, what is expected there and what was found',
    async (json, message) => {
      const expected = `The JSON is invalid at ${message}.`;
      await expect(format(json)).rejects.toMatchObject({ ...refusal(''), message: expected });
    },
  );

  it('rejects a leading byte-order mark and names it', async () => {
    await expect(format('\ufeff{}')).rejects.toMatchObject(refusal('byte-order mark'));
  });

  it('keeps the order of keys, including keys that look like integers', async () => {
    const json = '{"b":1,"2":2,"a":3,"1":4,"-1":5,"01":6}';
    expect((await format(json)).minified).toBe(json);
  });

  it('treats __proto__, constructor and the empty key like other keys', async () => {
    const json = '{"__proto__":{"a":1},"constructor":1,"":2,"toString":{}}';
    expect((await format(json)).minified).toBe(json);
  });

  it('keeps the last value of a duplicate key at the first position', async () => {
    const forms: Record<string, string> = {
      '{"a":1,"b":2,"a":3}': '{"a":3,"b":2}',
      '{"a":1,"a":2,"a":3,"c":4}': '{"a":3,"c":4}',
      '{"a":{"x":1,"x":2},"b":0,"a":{"y":[1],"y":{"z":1,"z":2}} }': '{"a":{"y":{"z":2}},"b":0}',
      '[{"a":1,"\\u0061":2},{"a":1}]': '[{"a":2},{"a":1}]',
      '{"a":{"a":1,"b":{"a":2}},"b":{"a":3}}': '{"a":{"a":1,"b":{"a":2}},"b":{"a":3}}',
      '{"1":"x" , "1" : [ ] }': '{"1":[]}',
    };
    for (const [json, minified] of Object.entries(forms)) {
      expect((await format(json)).minified).toBe(minified);
    }
  });

  it('treats duplicate keys like JSON.parse at every level', async () => {
    const { value: text } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', '"x"', '[]', '{}', ' null '),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' ,')}]`),
        fc
          .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"\\u0061"', '"c"'), tie('value')), {
            maxLength: 6,
          })
          .map((members) => `{${members.map(([k, v]) => `${k} :${v}`).join(', ')}}`),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(text, async (json) => {
        expect((await format(json)).minified).toBe(JSON.stringify(JSON.parse(json)));
      }),
      { numRuns: 1000 },
    );
  });

  it('writes numbers as JavaScript does, so large integers lose precision', async () => {
    expect((await format('[9007199254740993,1.0,1E2,-0,0.1e-7,1e21]')).minified).toBe(
      '[9007199254740992,1,100,0,1e-8,1e+21]',
    );
  });

  it('reports rounded numbers and duplicate keys', async () => {
    const warningsFor = async (json: string) => (await runTool(formatJson, { json })).warnings;
    expect(
      await warningsFor('[1.0,1E2,-0,0.1e-7,1e21,0.1000000000000000000,"9007199254740993"]'),
    ).toEqual([]);
    expect(await warningsFor('[1,\n 9007199254740993]')).toEqual([
      'A number has more digits than a double holds and was rounded: 9007199254740993 at line 2, column 2 became 9007199254740992.',
    ]);
    expect(await warningsFor(`[0.${'12'.repeat(40)},1e-400]`)).toEqual([
      `2 numbers have more digits than a double holds and were rounded: 0.${'12'.repeat(19)}… at line 1, column 2 became 0.12121212121212122.`,
    ]);
    expect(await warningsFor('{"a":1,"a":2,"a":3}')).toEqual([
      'The JSON has a duplicate key. Only its last value was kept. The first dropped value is at line 1, column 6.',
    ]);
    expect(await warningsFor('[{"a":1,"a":2},{"b":1,"b":2}]')).toEqual([
      'The JSON has 2 duplicate keys. Only the last value of each was kept. The first dropped value is at line 1, column 7.',
    ]);
  });

  it('keeps a number beyond the range of a double as written', async () => {
    const json = `[1e400,-1E+999,${'9'.repeat(400)}]`;
    expect((await format(json)).minified).toBe(json);
  });

  it('writes strings like JSON.stringify', async () => {
    expect((await format('"\\u00e9\\/\\u000a\\u0001\u2028"')).minified).toBe(
      '"é/\\n\\u0001\u2028"',
    );
  });

  it('escapes lone surrogates, whether or not the input did', async () => {
    expect((await format('["\\ud800","\udc00","\\ud83d\\ude00"]')).minified).toBe(
      '["\\ud800","\\udc00","😀"]',
    );
  });

  it('indents by 2 by default and by 0 to 10 on request', async () => {
    expect((await format('[1]')).formatted).toBe('[\n  1\n]');
    expect((await format('[1]', 10)).formatted).toBe(`[\n${' '.repeat(10)}1\n]`);
    expect((await format('[1,{"a":2}]', 0)).formatted).toBe('[1,{"a":2}]');
  });

  it('uses 2 with a warning if indent is out of range or not a whole number', async () => {
    for (const indent of [-1, 11, 1.5, '4', null, true, Number.POSITIVE_INFINITY]) {
      const { value, warnings } = await runTool(formatJson, { json: '[1]', indent });
      expect(value.formatted).toBe('[\n  1\n]');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/^indent: .+ was replaced by 2\.$/);
    }
  });

  it('adds no warning for a valid indent', async () => {
    expect((await runTool(formatJson, { json: '1', indent: 4 })).warnings).toEqual([]);
  });

  it('formats nearly 200,000 levels on one line', async () => {
    const json = `${'[{"a":'.repeat(99_999)}1${'}]'.repeat(99_999)}`;
    expect((await format(json, 0)).minified).toBe(json);
  });

  it('rejects input whose formatted form exceeds memory', async () => {
    const json = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    await expect(format(json)).rejects.toMatchObject(refusal('the limit is 24 MB'));
  });

  it('rejects unlimited nesting, complete or truncated', async () => {
    const open = '['.repeat(2_000_000);
    const tooMany = { status: 413, param: 'json', message: expect.stringMatching(/200,000/) };
    await expect(format(open)).rejects.toMatchObject(tooMany);
    await expect(format(open + ']'.repeat(2_000_000), 0)).rejects.toMatchObject(tooMany);
    await expect(format('{"a":'.repeat(199_999))).rejects.toMatchObject(
      refusal('the end of the text'),
    );
  });

  it('formats 8 MB and up to 200,000 values of any shape and rejects more', async () => {
    const length = 2 ** 23 - 16;
    const shapes = [
      '1',
      '{}',
      '{"":0}',
      '"\\u0061"',
      '1.50',
      '["a", "b"]',
      `"${'\\n'.repeat(20)}"`,
    ];
    for (const shape of shapes) {
      const values = shape.startsWith('[') ? 3 : shape.includes(':') ? 2 : 1;
      const items = Math.floor(199_998 / values);
      const json = `[${`${shape},`.repeat(items)}0]`.padEnd(length);
      expect((await format(json)).minified).toBe(JSON.stringify(JSON.parse(json)));
      await expect(format(`[${`${shape},`.repeat(items + values)}0]`)).rejects.toMatchObject({
        status: 413,
        param: 'json',
      });
    }
  });

  it('never uses the caller’s keys as Map keys, since V8 hashes digits without a seed', async () => {
    const keys: unknown[] = [];
    const set = vi.spyOn(Map.prototype, 'set').mockImplementation(function (
      this: Map<unknown, unknown>,
      key,
      value,
    ) {
      keys.push(key);
      return original.call(this, key, value);
    });
    const first = await format('{"262144":1,"524288":2}', 0);
    await format('{"262144":1}', 0);
    set.mockRestore();
    expect(first.minified).toBe('{"262144":1,"524288":2}');
    const ofFirst = keys.filter((key) => String(key).endsWith('262144'));
    expect(ofFirst).toHaveLength(2);
    expect(new Set(ofFirst).size).toBe(2);
    expect(keys.every((key) => !/^\d+$/.test(String(key)))).toBe(true);
  });

  it('rejects a missing or non-string text', async () => {
    await expect(format(undefined)).rejects.toMatchObject({ status: 400, param: 'json' });
    await expect(format({ a: 1 })).rejects.toMatchObject({ status: 400, param: 'json' });
  });
});

it('format_json keeps numbers as they are written in its page', async () => {
  const json = '[-0,1.0,1e2,12345678901234567890,0.10]';
  const { value, warnings } = await runTool(formatJsonHere, { json });
  expect(value.minified).toBe(json);
  expect(warnings).toEqual([]);
});

it('format_json ignores a byte-order mark in its page', async () => {
  const { value, warnings } = await runTool(formatJsonHere, { json: '\ufeff{}' });
  expect(value.minified).toBe('{}');
  expect(warnings).toEqual([expect.stringContaining('byte-order mark')]);
});

it('format_json keeps duplicate keys in its page, and says where they are', async () => {
  const { value, warnings } = await runTool(formatJsonHere, { json: '{"b":1,"a":0,"b":2}' });
  expect(value.minified).toBe('{"b":1,"a":0,"b":2}');
  expect(warnings).toEqual([
    'The JSON has a duplicate key. Only its last value counts in most programs. The first ignored value is at line 1, column 6.',
  ]);
});
