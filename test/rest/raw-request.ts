/** Sends requests that fetch cannot send, with arbitrary chunks, unusual headers, or wrong lengths. */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { baseUrl } from '../support/service.ts';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read bodies of every shape
  json: any;
}

interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** The chunks of the body in order. The transfer encoding is chunked unless Content-Length is given. */
  pieces?: (string | Uint8Array)[];
  /** The pause between chunks in milliseconds, so that they arrive separately. */
  gapMs?: number;
  /** Whether the body never ends. The response must then arrive before the end of the body. */
  endless?: boolean;
}

const TRICKLE = Buffer.alloc(16 * 1024);

/**
 * The agent uses at most half of the connections that the proxy allows per network. The proxy would otherwise close
 * idle connections when `fetch` opens others.
 */
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });

/** Sends a request to the service and reads the whole response. */
export function send({
  method = 'POST',
  path = '/api/v1/tools/execute',
  headers = {},
  pieces = [],
  gapMs = 0,
  endless = false,
}: RawRequest): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const json = /json/.test(response.headers['content-type'] ?? '') ? parse(text) : undefined;
        if (endless) request.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    request.on('error', reject);
    void write(request, pieces, gapMs, endless);
  });
}

async function write(
  request: http.ClientRequest,
  pieces: (string | Uint8Array)[],
  gapMs: number,
  endless: boolean,
): Promise<void> {
  request.setNoDelay(true);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0 && gapMs > 0) await pause(gapMs);
    request.write(piece);
  }
  if (!endless) {
    request.end();
    return;
  }
  request.flushHeaders();
  // The body must keep arriving, because the proxy would refuse a body that stalls.
  const trickle = setInterval(() => request.write(TRICKLE), 1000);
  for (const end of ['response', 'close']) request.once(end, () => clearInterval(trickle));
}

const parse = (text: string) => (text === '' ? undefined : JSON.parse(text));

/** Builds a multipart body with the boundary `b`. Each part consists of its headers and its content. */
export function multipart(parts: [headers: string, content: string | Uint8Array][]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(([headers, content]) => [
      Buffer.from(`--b\r\n${headers}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);
}

/** Sends a multipart body with the boundary `b`. */
export const sendMultipart = (
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  send({
    headers: { 'Content-Type': 'multipart/form-data; boundary=b', ...headers },
    pieces: [body],
  });

/** Returns the header of a form field. */
export const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;
