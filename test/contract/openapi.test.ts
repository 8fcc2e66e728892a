import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { parametersSchema } from '../../src/catalogue/json-schema.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { baseUrl, body } from '../support/service.ts';

interface Schema {
  properties: { tool: { const: string }; parameters: { $ref: string } };
  required: string[];
  additionalProperties?: unknown;
}

const fetchDocument = async () => body(await fetch(`${baseUrl}/api/v1/openapi.json`));

describe('the API description', () => {
  it('is a valid OpenAPI 3.1 document of version 2.0.0', async () => {
    const document = await fetchDocument();
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('2.0.0');
    expect(document.servers).toEqual([{ url: baseUrl }]);
  });

  it('lists exactly the executable tools in its enum', async () => {
    const { components } = await fetchDocument();
    const names = TOOLS.filter((tool) => tool.run).map((tool) => tool.name);
    expect(components.schemas.ToolName.enum).toEqual(names);
  });

  it('describes every endpoint of the contract, and those of MCP with the domains', async () => {
    const { paths } = await fetchDocument();
    const described = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(described).toEqual(
      expect.arrayContaining([
        'get /api/v1/tools',
        'post /api/v1/tools/execute',
        'post /api/v1/tools/chain',
        'post /api/v1/search',
        'get /api/v1/content',
        'post /api/mcp',
        'post /api/mcp/{domain}',
      ]),
    );
    const [domain] = paths['/api/mcp/{domain}'].parameters;
    expect(domain).toMatchObject({ name: 'domain', in: 'path', required: true });
    expect(domain.schema.enum).toEqual(['documents', 'media', 'web', 'text', 'dev']);
  });

  it('describes only paths that exist', async () => {
    const { paths } = await fetchDocument();
    for (const [path, methods] of Object.entries(paths as Record<string, object>)) {
      for (const method of Object.keys(methods).filter((name) => name !== 'parameters')) {
        // The ID in the path does not exist. The endpoint itself, not the router, must report that.
        if (path.includes('{')) {
          const { error } = await body(await fetch(baseUrl + path, { method }));
          expect(error, `${method} ${path}`).not.toMatch(/nothing at|not allowed/);
          continue;
        }
        const response = await fetch(baseUrl + path, { method: method.toUpperCase() });
        expect([404, 405], `${method} ${path}`).not.toContain(response.status);
      }
    }
  });

  it('describes asynchronous and idempotent calls with their responses', async () => {
    const { paths } = await fetchDocument();
    for (const path of ['/api/v1/tools/execute', '/api/v1/tools/chain']) {
      const { parameters, responses } = paths[path].post;
      const names = parameters.map(({ name }: { name: string }) => name);
      expect(names).toEqual(['Prefer', 'Idempotency-Key']);
      expect(new RegExp(parameters[1].schema.pattern, 'u').test(crypto.randomUUID())).toBe(true);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['202', '409', '422']));
      expect(responses[200].headers).toHaveProperty('Idempotent-Replayed');
      expect(responses[422].description).toContain('Idempotency-Key');
    }
  });

  it('lists the error responses of every operation: a bad key, an oversized body, another media type', async () => {
    const { paths } = await fetchDocument();
    interface Operation {
      operationId: string;
      requestBody?: object;
      responses?: object;
    }
    const operations = Object.values(paths as Record<string, Record<string, Operation>>)
      .flatMap((path) => Object.values(path))
      .filter(({ responses }) => responses);
    expect(operations.length).toBeGreaterThan(8);
    for (const { operationId, requestBody, responses } of operations) {
      const statuses = Object.keys(responses ?? {});
      const wanted = ['401', '429', '500', ...(requestBody ? ['400', '413', '415'] : [])];
      expect(statuses, operationId).toEqual(expect.arrayContaining(wanted));
    }
    const { responses } = paths['/api/v1/tools/execute'].post;
    expect(responses[401].description).toContain('account');
    expect(responses).toHaveProperty('403');
  });

  it('describes each call of execute with the parameters of its tool', async () => {
    const { components } = await fetchDocument();
    const { oneOf, ...others } = components.schemas.ExecuteRequest;
    expect(oneOf.map(({ properties }: Schema) => properties.tool.const)).toEqual(
      components.schemas.ToolName.enum,
    );
    // Type generators would add properties beside `oneOf` to every alternative.
    expect(others).not.toHaveProperty('properties');
    for (const { properties, required } of oneOf as Schema[]) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(properties.parameters.$ref)![1]!;
      const { required: needed = [] } = components.schemas[name];
      expect(required.includes('parameters'), name).toBe(needed.length > 0);
    }
  });

  it('states the default of every parameter that has one', async () => {
    const { components } = await fetchDocument();
    for (const { properties } of components.schemas.ExecuteRequest.oneOf as Schema[]) {
      const tool = TOOLS.find(({ name }) => name === properties.tool.const)!;
      const described =
        components.schemas[properties.parameters.$ref.split('/').at(-1)!].properties;
      for (const [name, { default: value }] of Object.entries(parametersSchema(tool).properties!))
        if (value !== undefined)
          expect(described[name].description, `${tool.name}.${name}`).toContain(
            `Default: ${JSON.stringify(value)}.`,
          );
    }
  });

  it('allows additional fields in results', async () => {
    const { components } = await fetchDocument();
    const results = Object.entries<Schema>(components.schemas).filter(([name]) =>
      name.endsWith('Result'),
    );
    expect(results.length).toBeGreaterThan(15);
    for (const [name, schema] of results) expect(schema.additionalProperties, name).not.toBe(false);
  });

  it('contains no dangling reference', async () => {
    const document = await fetchDocument();
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!);
  });
});
