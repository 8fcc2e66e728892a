/**
 * Reads a tool's parameters from the text parts of a form. Each value is converted to the type that the tool's schema
 * declares.
 */
import { type JsonSchema, parametersSchema } from '../catalogue/json-schema.ts';
import type { Tool } from '../core/define-tool.ts';

export class FormParameters {
  readonly #schemas: Record<string, JsonSchema>;
  readonly #values = new Map<string, unknown>();

  constructor(tool: Tool) {
    this.#schemas = parametersSchema(tool).properties ?? {};
  }

  /**
   * Adds the text of a part. An array is sent as several parts with the same name, or as one part with a JSON array.
   */
  add(name: string, text: string): void {
    const schema = Object.hasOwn(this.#schemas, name) ? this.#schemas[name]! : {};
    const isList = schema.type === 'array';
    if (!isList) this.#values.set(name, converted(text, schema));
    else this.#values.set(name, [...((this.#values.get(name) as unknown[]) ?? []), ...items(text)]);
  }

  get values(): Record<string, unknown> {
    return Object.fromEntries(this.#values);
  }
}

/**
 * Converts text to the declared type. If this fails, returns the text unchanged, so that the schema reports the error
 * or applies the default.
 */
function converted(text: string, { type }: JsonSchema): unknown {
  switch (type) {
    case 'number':
    case 'integer':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    default:
      return text;
  }
}

function items(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [text];
  } catch {
    return [text];
  }
}
