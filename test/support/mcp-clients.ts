/** Wraps the official MCP clients: one for the protocol versions with sessions, and one for the stateless protocol. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PATIENCE_MS, REPEATS } from './patience.ts';
import { BUSY } from './patient-fetch.ts';

interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: the tests read content of every kind
  content: any[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface Connected {
  /** Lists the names of the tools. The client then validates results against the listed output schemas. */
  list(): Promise<string[]>;
  /** Lists the tools. Returns the output schemas by tool name, for the tools that have one. */
  outputSchemas(): Promise<Record<string, Record<string, unknown>>>;
  call(
    name: string,
    given: Record<string, unknown>,
    onProgress?: (progress: { progress: number }) => void,
  ): Promise<Result>;
  close(): Promise<void>;
}

const outputSchemasOf = ({ tools }: { tools: { name: string; outputSchema?: object }[] }) =>
  Object.fromEntries(
    tools.flatMap(({ name, outputSchema }) => (outputSchema ? [[name, { ...outputSchema }]] : [])),
  );

const IDENTITY = { name: 'test', version: '1' };

/** The SDKs end a request after a minute, which is too short for a busy machine. */
const PATIENT = { timeout: PATIENCE_MS };

const headersOf = (key: string | undefined) =>
  key ? { requestInit: { headers: { Authorization: `Bearer ${key}` } } } : {};

export async function connectOld(url: string, key?: string): Promise<Connected> {
  const client = new OldClient(IDENTITY);
  await client.connect(new OldTransport(new URL(url), headersOf(key)), PATIENT);
  return {
    list: async () => (await client.listTools(undefined, PATIENT)).tools.map(({ name }) => name),
    outputSchemas: async () => outputSchemasOf(await client.listTools(undefined, PATIENT)),
    call: async (name, given, onprogress) =>
      (await client.callTool({ name, arguments: given }, undefined, {
        ...PATIENT,
        onprogress,
      })) as Result,
    close: () => client.close(),
  };
}

/** Connects with the client for the stateless protocol. Fails if the server does not support that protocol. */
export async function connectNew(url: string, key?: string): Promise<Connected> {
  const client = new NewClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new NewTransport(new URL(url), headersOf(key)), PATIENT);
  return {
    list: async () => (await client.listTools(undefined, PATIENT)).tools.map(({ name }) => name),
    outputSchemas: async () => outputSchemasOf(await client.listTools(undefined, PATIENT)),
    call: async (name, given, onprogress) =>
      (await client.callTool({ name, arguments: given }, { ...PATIENT, onprogress })) as Result,
    close: () => client.close(),
  };
}

/** Calls a tool and repeats the call while the service is busy. Returns the result and the progress of the last call. */
export async function callPatiently(
  client: Connected,
  name: string,
  given: Record<string, unknown>,
): Promise<{ result: Result; progress: number[] }> {
  for (let repeats = 0; ; repeats += 1) {
    const progress: number[] = [];
    const result = await client.call(name, given, (at) => progress.push(at.progress));
    const isBusy = result.isError === true && BUSY.test(JSON.stringify(result.content));
    if (!isBusy || repeats === REPEATS.most) return { result, progress };
    await sleep(REPEATS.seconds * 1000);
  }
}

export const CLIENTS = { 'of 2025-11-25': connectOld, 'of 2026-07-28': connectNew };
