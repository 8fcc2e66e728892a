/**
 * Generates almost valid parameters. Some values of a tool's example are replaced by values at the limits, of other
 * types, or with hostile content.
 */
import fc from 'fast-check';
import * as z from 'zod';
import type { Tool } from '../../src/core/define-tool.ts';
import { editedText } from './edited-text.ts';

type JsonSchema = Record<string, unknown>;

/**
 * No URL in this list needs a name server. Some are served from loopback, some are refused immediately, and the others
 * are in a domain that never resolves.
 */
const ADDRESSES = [
  ...[
    'http://page.test/',
    'http://page.test/fuzzed',
    'http://page.test/none',
    'https://page.test/',
  ],
  ...['http://127.0.0.1/', 'http://[::1]:1/', 'http://169.254.169.254/', 'http://nowhere.invalid/'],
  ...['file:///etc/passwd', 'data:text/html,x', 'page.test', 'http://', 'javascript:1', ''],
  `http://page.test/${'a'.repeat(20_000)}`,
];
const DEEP = JSON.parse(`${'['.repeat(600)}1${']'.repeat(600)}`);

const HOSTILE_VALUE = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    0.1,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 53 + 2,
    '',
    '0',
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    [null],
    DEEP,
    { length: 1e9 },
    { toString: 1 },
    '\ud800',
    '\0',
  ),
  fc.constant(JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}')),
  fc.integer({ min: 1, max: 17 }).map((power) => 'x'.repeat(2 ** power)),
  fc.integer({ min: 1, max: 13 }).map((power) => Array(2 ** power).fill(1)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Generates a value that matches the schema, is close to its limits, or has another type. */
function valueFor(name: string, schema: JsonSchema, example: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 5, arbitrary: fitting(name, schema, example) },
    {
      weight: 1,
      arbitrary: /url/i.test(name) ? fc.constantFrom(...ADDRESSES, null, 1) : HOSTILE_VALUE,
    },
  );
}

function fitting(name: string, schema: JsonSchema, example: unknown): fc.Arbitrary<unknown> {
  if (/^(file)?urls?$/i.test(name) && schema.type !== 'array') return fc.constantFrom(...ADDRESSES);
  const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (branches) return fc.oneof(...branches.map((branch) => valueFor(name, branch, example)));
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  const { minimum = 0, maximum = 1000 } = schema as { minimum?: number; maximum?: number };
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5, example ?? 1),
        fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 2 ** 31)) }),
      );
    case 'array':
      return fc.array(valueFor(`${name} item`, (schema.items ?? {}) as JsonSchema, undefined), {
        maxLength: 8,
      });
    case 'object':
      return fc.jsonValue({ maxDepth: 2 });
    default:
      return editedText({ seeds: [String(example ?? 'some text')] });
  }
}

const schemas = new Map<string, Record<string, JsonSchema>>();
function propertiesOf(tool: Tool): Record<string, JsonSchema> {
  const known = schemas.get(tool.name);
  if (known) return known;
  const { properties = {} } = z.toJSONSchema(tool.input, {
    io: 'input',
    unrepresentable: 'any',
  }) as {
    properties?: Record<string, JsonSchema>;
  };
  schemas.set(tool.name, properties);
  return properties;
}

/** Generates parameters for a tool. */
export function parametersFor(tool: Tool): fc.Arbitrary<Record<string, unknown>> {
  const example = (tool.example?.parameters ?? {}) as Record<string, unknown>;
  const safe = Object.entries(example).map(([name, value]) => [
    name,
    /url/i.test(name) ? ADDRESSES[0] : value,
  ]);
  const values = Object.entries(propertiesOf(tool)).map(([name, schema]) => [
    name,
    valueFor(name, schema, example[name]),
  ]);
  const others = fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'nothing', 'file', 'files', ''),
    HOSTILE_VALUE,
    { maxKeys: 2 },
  );
  return fc
    .tuple(
      fc.record(Object.fromEntries(values), { requiredKeys: [] }),
      fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: others }),
    )
    .map(([given, more]) => ({ ...Object.fromEntries(safe), ...given, ...more }));
}
