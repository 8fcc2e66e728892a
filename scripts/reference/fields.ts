/** Lists the fields of a JSON Schema with their descriptions, for the API reference. */
import type { JsonSchema } from '../../src/catalogue/json-schema.ts';
import type { ReferenceField } from '../../src/core/reference.ts';

/** The maximum number of values that are listed. Longer lists, such as the names of all tools, are omitted. */
const MAX_VALUES = 30;

/** Reads the fields of schemas. A schema may refer to the components of an OpenAPI document. */
export class FieldReader {
  readonly #components: Record<string, JsonSchema>;

  constructor(components: Record<string, JsonSchema>) {
    this.#components = components;
  }

  /**
   * Returns the fields of an object or of the objects in a list. For a union of objects, returns the fields of all
   * alternatives.
   */
  fieldsOf(schema: JsonSchema): ReferenceField[] {
    return this.propertiesOf(schema).map(({ name, part, isRequired }) =>
      this.field(name, part, isRequired),
    );
  }

  /** Returns the schemas of the fields that `fieldsOf` describes. */
  propertiesOf(schema: JsonSchema): { name: string; part: JsonSchema; isRequired: boolean }[] {
    const objects = this.#objectsOf(schema);
    const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
    return [...names].map((name) => {
      const parts = objects.flatMap(({ properties }): JsonSchema[] => {
        const part = properties?.[name];
        return part ? [part] : [];
      });
      const isRequired = objects.every(({ required }) => required?.includes(name));
      return { name, part: merged(parts), isRequired };
    });
  }

  field(name: string, part: JsonSchema, isRequired: boolean): ReferenceField {
    const full = this.follow(part);
    const description = String(part.description ?? full.description ?? '');
    const isUnsaid = (bound: string) =>
      !description.toLowerCase().includes(bound.toLowerCase().replace(/ items$/, ''));
    const bounds = boundsOf(full).filter((bound) => bound && isUnsaid(bound));
    const meaning = [description, this.#values(part), ...bounds];
    return {
      name,
      type: this.typeOf(part),
      meaning: meaning.filter(Boolean).map(asSentence).join(' '),
      isRequired,
      fields: this.fieldsOf(part),
    };
  }

  follow(schema: JsonSchema): JsonSchema {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref ?? ''))?.[1];
    return name ? this.#components[name]! : schema;
  }

  #alternatives(schema: JsonSchema): JsonSchema[] {
    const { anyOf, oneOf } = this.follow(schema);
    const choices = ((anyOf ?? oneOf) as JsonSchema[] | undefined) ?? [];
    // An alternative that lists only required fields is not a separate type.
    return choices.filter(
      ({ required, $ref, type, properties }) => !required || $ref || type || properties,
    );
  }

  #objectsOf(schema: JsonSchema): JsonSchema[] {
    const full = this.follow(schema);
    if (full.properties) return [full];
    if (full.items) return this.#objectsOf(full.items as JsonSchema);
    return this.#alternatives(full).flatMap((choice) => this.#objectsOf(choice));
  }

  typeOf(part: JsonSchema): string {
    const full = this.follow(part);
    if (
      full.contentMediaType === 'application/octet-stream' ||
      full.contentMediaType === 'application/pdf'
    )
      return 'file';
    if (full.type === 'array')
      return `array of ${full.items ? this.typeOf(full.items as JsonSchema) : 'any'}`;
    if (full.type) return [full.type].flat().join(' or ');
    if (full.const !== undefined) return typeof full.const;
    const types = this.#alternatives(full).map((choice) => this.typeOf(choice));
    return [...new Set(types)].join(' or ') || 'any';
  }

  #values(part: JsonSchema): string {
    const full = this.follow(part);
    const { enum: own, const: only } = (
      full.items ? this.follow(full.items as JsonSchema) : full
    ) as JsonSchema;
    const values = (own as unknown[] | undefined) ?? (only === undefined ? [] : [only]);
    if (values.length === 0 || values.length > MAX_VALUES) return '';
    return `${values.length > 1 ? 'Values: ' : ''}${values.map((value) => `\`${value}\``).join(', ')}`;
  }
}

/**
 * Merges the schemas that several alternatives declare for the same field. Constants become one enum. For other
 * schemas, only the description and the type of the first one are used.
 */
function merged([first, ...others]: JsonSchema[]): JsonSchema {
  const isSame = (other: JsonSchema) => JSON.stringify(other) === JSON.stringify(first);
  if (others.every(isSame)) return first!;
  const { description, type, const: value } = first!;
  if (value === undefined) return { description, type: type ?? 'object' } as JsonSchema;
  return {
    description,
    type: 'string',
    enum: [first!, ...others].map((part) => part.const),
  } as JsonSchema;
}

function boundsOf({
  minimum,
  maximum,
  minItems,
  maxItems,
  maxLength,
  default: usual,
}: JsonSchema): string[] {
  const range = (least: unknown, most: unknown, unit: string) => {
    const isNone = (bound: unknown) =>
      bound === undefined || Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER;
    if (isNone(most)) return isNone(least) || Number(least) === 0 ? '' : `At least ${least}${unit}`;
    return isNone(least) ? `At most ${most}${unit}` : `${least} to ${most}${unit}`;
  };
  return [
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' items'),
    range(undefined, maxLength, ' characters'),
    usual === undefined ? '' : `Default: \`${JSON.stringify(usual)}\``,
  ];
}

const asSentence = (text: unknown): string =>
  String(text)
    .trim()
    .replace(/[^.!?:]$/, '$&.');
