/** Calls every tool through every surface that it declares. The tools come from the registry, so none is left out. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AGENT_ENDPOINT, ENDPOINTS } from '../../src/catalogue/mcp-endpoints.ts';
import { markTexts } from '../../src/content/untrusted-text.ts';
import { capValue } from '../../src/mcp/cap-value.ts';
import { TOOLS } from '../../src/tools/registry.ts';
import { makeSampleFiles } from '../content/sample-files.ts';
import { pairing } from '../support/matrix.ts';
import { CLIENTS, type Connected, connectNew } from '../support/mcp-clients.ts';
import { type Sample, sampleOf } from '../support/sample.ts';
import { baseUrl, body, executeForm, serviceKey } from '../support/service.ts';
import { MCP_TOOLS, REST_ONLY } from './contract-tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'tools-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SAMPLES: Record<string, Sample> = Object.fromEntries(
  await Promise.all(TOOLS.map(async (tool) => [tool.name, await sampleOf(tool)])),
);
await makeSampleFiles(
  folder,
  Object.values(SAMPLES).flatMap(({ files = [] }) => files),
);

const filesOf = ({ files = [] }: Sample): File[] =>
  files.map((name) => new File([readFileSync(join(folder, name))], name));

/** Returns a matcher for the fields of a result. A RegExp matches any string that contains a match. */
const matching = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof RegExp
        ? expect.stringMatching(value)
        : value !== null && typeof value === 'object' && !Array.isArray(value)
          ? matching(value as Record<string, unknown>)
          : value,
    ]),
  );

const executable = TOOLS.filter((tool) => tool.run);

/** The key is created only once, because creating it takes seconds. */
const key = await serviceKey();

describe('the REST surface', () => {
  it.each(
    executable
      .filter((tool) => tool.surfaces.includes('rest'))
      .map((tool) => [tool.name, tool] as const),
  )('runs %s', async (name, tool) => {
    const sample = SAMPLES[name]!;
    const files = filesOf(sample).map((file): [string, Blob, string] => ['files', file, file.name]);
    const response = await executeForm(
      [['tool', name], ['parameters', JSON.stringify(sample.parameters)], ...files],
      tool.access === 'account' ? { Authorization: `Bearer ${key}` } : {},
    );
    expect(response.status).toBe(200);
    if (typeof sample.result === 'string') {
      expect(response.headers.get('Content-Type')).toBe(sample.result);
      expect(tool.produces).toContain(sample.result);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
      return;
    }
    const value = await body(response);
    expect(value).toMatchObject(matching(sample.result!));
    expect(tool.output?.strict().safeParse(value).error).toBeUndefined();
  });
});

/** Returns the expected fields of a file link. */
const linkFields = (contentType: string, files: readonly File[]) => ({
  url: expect.stringMatching(/^http/),
  filename: expect.any(String),
  contentType,
  size: expect.any(Number),
  expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  deleteToken: expect.any(String),
  ...(contentType === 'application/pdf' && { pages: expect.any(Number) }),
  ...(contentType.startsWith('image/') && {
    width: expect.any(Number),
    height: expect.any(Number),
  }),
  ...(files.length > 0 && { inputBytes: files.reduce((sum, { size }) => sum + size, 0) }),
});

describe('the path of a tool', () => {
  it.each(
    executable
      .filter((tool) => tool.produces && !tool.output && tool.surfaces.includes('rest'))
      .map((tool) => [tool.name, tool] as const),
  )(
    '%s accepts form parts as parameters, and returns a link if only JSON is accepted',
    async (name, tool) => {
      const sample = SAMPLES[name]!;
      const files = filesOf(sample);
      const form = new FormData();
      for (const [parameter, value] of Object.entries(sample.parameters ?? {})) {
        for (const item of [value].flat()) form.append(parameter, String(item));
      }
      for (const file of files) form.append('files', file);
      const response = await fetch(`${baseUrl}/api/v1/tools/${name}`, {
        method: 'POST',
        body: form,
        headers: {
          Accept: 'application/json',
          ...(tool.access === 'account' && { Authorization: `Bearer ${key}` }),
        },
      });
      const value = await body(response);
      expect(response.status, JSON.stringify(value)).toBe(200);
      expect(value).toEqual(linkFields(String(sample.result), files));
      const file = await fetch(value.url);
      expect((await file.arrayBuffer()).byteLength).toBe(value.size);
    },
  );
});

/** Uploads the files of a sample and returns their links, because MCP calls refer to files by link. */
async function upload(files: readonly File[]): Promise<string[]> {
  const uploads = files.map(async (file) => {
    const answer = await executeForm([
      ['tool', 'upload_file'],
      ['file', file, file.name],
    ]);
    return (await body(answer)).url as string;
  });
  return Promise.all(uploads);
}

/**
 * Combinations of a tool, a client, and an endpoint with that tool. `npm run test:long` runs all of them, and `npm
 * test` runs enough to cover every pair.
 */
const MCP_CALLS = pairing(
  TOOLS.flatMap(({ name }) => {
    const endpoints = ENDPOINTS.filter(
      (endpoint) =>
        endpoint !== AGENT_ENDPOINT && endpoint.tools.some((tool) => tool.name === name),
    );
    const clients = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[];
    return clients.flatMap((_, shift) =>
      endpoints.map(({ path }, at) => ({
        path,
        name,
        client: clients[(at + shift) % clients.length]!,
      })),
    );
  }),
);

describe('the MCP surface', () => {
  it.each(
    Object.keys(CLIENTS).flatMap((client) =>
      ENDPOINTS.map(({ path, tools }) => ({ client, path, tools })),
    ),
  )('to the client $client lists the tools of $path', async ({ client: name, path, tools }) => {
    const client = await CLIENTS[name as keyof typeof CLIENTS](baseUrl + path);
    expect(await client.list()).toEqual(tools.map((tool) => tool.name));
    await client.close();
  });

  it.each(MCP_CALLS)('to the client $client, at $path, runs $name', async (called) => {
    const { name, path } = called;
    const tool = TOOLS.find((each) => each.name === name)!;
    const sample = SAMPLES[name]!;
    const links = await upload(filesOf(sample));
    const given: Record<string, unknown> = { ...sample.parameters };
    if (tool.files)
      Object.assign(given, tool.files.max > 1 ? { fileUrls: links } : { fileUrl: links[0] });
    const client: Connected = await CLIENTS[called.client](baseUrl + path, key);
    const result = await client.call(name, given);
    await client.close();
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    expect(result.content[0].type).toBe('text');
    if (typeof sample.result === 'string') {
      const { url } = result.structuredContent as Record<string, string>;
      const {
        url: _,
        expiresAt,
        deleteToken,
        ...known
      } = linkFields(sample.result, filesOf(sample));
      expect(result.structuredContent).toMatchObject(known);
      if (tool.inline) {
        expect(result.content[1]).toMatchObject({ type: 'image', mimeType: sample.result });
        return;
      }
      expect(result.content[0].text).toContain(url);
      expect(result.content[1]).toMatchObject({ type: 'resource_link', uri: url });
      expect((await fetch(url!)).headers.get('Content-Type')).toBe(sample.result);
      return;
    }
    expect(result.structuredContent).toMatchObject(matching(sample.result!));
    const shown = tool.untrusted ? markTexts(result.structuredContent) : result.structuredContent;
    expect(JSON.parse(result.content[0].text)).toEqual(shown);
  });
});

describe('a result of the agent endpoint', () => {
  const path = `${AGENT_ENDPOINT.path}?outputSchemas=all`;
  const withRun = AGENT_ENDPOINT.tools.filter((tool) => tool.name in SAMPLES);

  it.each(withRun.map((tool) => [tool.name, tool] as const))(
    'of %s matches its output schema, whole or truncated',
    async (name, tool) => {
      const sample = SAMPLES[name]!;
      const links = await upload(filesOf(sample));
      const client = await connectNew(baseUrl + path, key);
      const schema = z.fromJSONSchema((await client.outputSchemas())[name]!);
      // The client throws an error if the result does not match the tool's output schema.
      const { structuredContent, isError } = await client.call(name, {
        ...sample.parameters,
        ...(tool.files && (tool.files.max > 1 ? { fileUrls: links } : { fileUrl: links[0] })),
      });
      await client.close();
      expect(isError).toBeFalsy();
      for (let tokens = 1; tokens < 300; tokens += 1 + tokens / 4) {
        const cut = capValue(structuredContent!, tokens).value;
        expect(schema.safeParse(cut).error, JSON.stringify(cut)).toBeUndefined();
      }
    },
  );
});

describe('the catalogue', () => {
  it('lists every tool with its schema, and counts them', async () => {
    const catalogue = await body(await fetch(`${baseUrl}/api/v1/tools`));
    expect(catalogue.tools.map((tool: { name: string }) => tool.name)).toEqual(
      TOOLS.map((tool) => tool.name),
    );
    expect(catalogue.count).toBe(TOOLS.length);
    expect(catalogue.executableCount).toBe(executable.length);
    for (const entry of catalogue.tools) {
      expect(Object.keys(entry).sort()).toEqual([
        'description',
        'executable',
        'name',
        'parameters',
      ]);
      expect(entry.parameters.type).toBe('object');
      expect(entry.parameters.properties).toBeTypeOf('object');
    }
  });

  it('contains every tool of the contract, and each is executable', () => {
    const names = executable.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...MCP_TOOLS, ...REST_ONLY]));
  });
});
