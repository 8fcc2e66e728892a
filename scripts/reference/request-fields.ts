/** Lists the controls of the form that sends a request from a page of the API reference. */
import { type JsonSchema, parametersSchema } from '../../src/catalogue/json-schema.ts';
import type { Tool } from '../../src/core/define-tool.ts';
import type { RequestField, RequestParameter } from '../../src/core/reference.ts';
import type { FieldReader } from './fields.ts';
import { type Operation, type Parameter, schemaIn } from './operations.ts';

/**
 * Returns the fields of the body except files, required fields first. The list is empty if the body can be a list, as
 * in JSON-RPC.
 * The tool's definition determines which text fields are multiline. It also provides the default values, because the
 * OpenAPI document states them only in descriptions.
 */
export function fieldsOfBody(
  { requestBody }: Operation,
  reader: FieldReader,
  tool?: Tool,
): RequestField[] {
  const body = schemaIn(requestBody?.content);
  if (!body || body.anyOf) return [];
  const { properties = {} } = tool ? parametersSchema(tool) : {};
  return reader
    .propertiesOf(body)
    .map(({ name, part, isRequired }) => {
      const field = fieldOf(reader, name, part, isRequired);
      const isLong = field.control === 'line' && (tool?.form?.[name]?.rows ?? 1) > 1;
      const standard = JSON.stringify(properties[name]?.default);
      return {
        ...field,
        ...(isLong && { control: 'text' as const }),
        ...(standard !== undefined && { standard }),
      };
    })
    .filter(({ type }) => !/\bfile$/.test(type))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** Returns the parameters with their values in the example. `shown` is the path and the query of the example. */
export function fieldsOfParameters(
  { parameters = [] }: Operation,
  reader: FieldReader,
  path: string,
  shown: string = path,
  headers: Readonly<Record<string, string>> = {},
): RequestParameter[] {
  const { pathname, searchParams } = new URL(shown, 'https://tools.example');
  const exampleOf = ({ name, in: location }: Parameter): string | null | undefined => {
    if (location === 'query') return searchParams.get(name);
    if (location === 'header') return headers[name];
    const value = pathname.split('/')[path.split('/').indexOf(`{${name}}`)];
    return value === undefined ? undefined : decodeURIComponent(value);
  };
  return parameters.map((parameter) => {
    const { name, in: location, schema = {}, required = false } = parameter;
    const example = exampleOf(parameter);
    return {
      ...fieldOf(reader, name, schema, required),
      in: location,
      ...(typeof example === 'string' && { example }),
    };
  });
}

function fieldOf(
  reader: FieldReader,
  name: string,
  part: JsonSchema,
  isRequired: boolean,
): RequestField {
  const schema = reader.follow(part);
  return {
    name,
    type: reader.typeOf(part),
    isRequired,
    ...controlOf(schema),
    ...(isRequired && !schema.minLength && { mayBeEmpty: true as const }),
  };
}

function controlOf(
  schema: JsonSchema,
): Pick<RequestField, 'control' | 'values' | 'minimum' | 'maximum'> {
  const { enum: values, minimum, maximum } = schema;
  const types = [schema.type].flat().filter((type) => (type as string) !== 'null');
  const type = types.length === 1 ? types[0] : undefined;
  if (type === 'boolean') return { control: 'choice', values: ['true', 'false'] };
  if (type === 'string' && Array.isArray(values)) return { control: 'choice', values };
  if (type === 'string') return { control: 'line' };
  if (type !== 'number' && type !== 'integer') return { control: 'json' };
  return {
    control: 'number',
    ...(isBound(minimum) && { minimum }),
    ...(isBound(maximum) && { maximum }),
  };
}

/** Zod adds the safe-integer limits as bounds to integers that declare none. */
const isBound = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
