/** Groups the fields of an operation by their location in the request and the response. */
import type { JsonSchema } from '../../src/catalogue/json-schema.ts';
import type { Tool } from '../../src/core/define-tool.ts';
import type { FieldGroup, ReferenceField } from '../../src/core/reference.ts';
import type { FieldReader } from './fields.ts';
import { type Operation, type Parameter, schemaIn } from './operations.ts';

export function groupsOf(
  { parameters = [], requestBody, responses }: Operation,
  reader: FieldReader,
  tool: Tool | undefined,
): FieldGroup[] {
  const placed = (location: Parameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, description, schema, required = false }) =>
        reader.field(name, { ...schema, description }, required),
      );
  const body = schemaIn(requestBody?.content);
  const [ok] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const result = schemaIn(ok?.[1].content);
  const { value, link } = partsOf(result, tool);
  const isEither = result !== undefined && Object.keys(ok?.[1].content ?? {}).some(isFile);
  const groups: FieldGroup[] = [
    { title: 'Path parameters', fields: placed('path') },
    { title: 'Query parameters', fields: placed('query') },
    {
      title: requestBody?.content['application/json'] ? 'Body' : 'Form fields',
      fields: body ? inOrder(reader.fieldsOf(body)) : [],
    },
    { title: 'Headers', fields: [...(isEither ? [ACCEPT] : []), ...placed('header')] },
    {
      title: link ? 'Result as JSON' : 'Result',
      fields: value ? reader.fieldsOf(value) : [],
    },
    {
      title: value ? FOLDED_LINK : 'Result as a link',
      fields: link ? reader.fieldsOf(link) : [],
      ...(value && { isFolded: true }),
    },
  ];
  return groups.filter(({ fields }) => fields.length > 0);
}

const FOLDED_LINK = 'Result as a link: replaces the file if you send `Accept: application/json`';

/** OpenAPI ignores a parameter with this name, so the API description does not declare it. */
const ACCEPT: ReferenceField = {
  name: 'Accept',
  type: 'string',
  meaning:
    '`application/json`: the response is JSON with a link to the file, instead of the file itself.',
  isRequired: false,
  fields: [],
};

const isFile = (type: string) => !/^(application\/json$|text\/)/.test(type);

/** Sorts file fields first, then the links that replace files, then required fields, then all other fields. */
const inOrder = (fields: readonly ReferenceField[]): ReferenceField[] => {
  const rank = ({ name, type, isRequired }: ReferenceField) => {
    if (/\bfile$/.test(type)) return 0;
    if (/^fileUrls?$/.test(name)) return 1;
    return isRequired ? 2 : 3;
  };
  return fields.toSorted((one, other) => rank(one) - rank(other));
};

/** Splits the schema of a result into the schema of its JSON value and the schema of the link to a file. */
function partsOf(
  result: JsonSchema | undefined,
  tool: Tool | undefined,
): { value?: JsonSchema; link?: JsonSchema } {
  if (!result || isAnyResult(result)) return {};
  if (!tool?.produces) return { value: result };
  if (!tool.output) return { link: result };
  // src/catalogue/openapi-results.ts puts the link first.
  const [link, value] = result.anyOf as [JsonSchema, JsonSchema];
  return { value, link };
}

/** Whether the schema is the union of all tools' results. Such a union has too many fields to list. */
const isAnyResult = ({ anyOf }: JsonSchema) => ((anyOf as unknown[] | undefined)?.length ?? 0) > 3;
