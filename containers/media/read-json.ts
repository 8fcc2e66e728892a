/** Reads the whole body of a request as JSON. */
import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../src/core/errors.ts';

/** Throws ToolError 400 if the body is longer than `most` bytes, and SyntaxError if it is not JSON. */
export async function readJson<Value>(request: IncomingMessage, most: number): Promise<Value> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > most) throw badRequest('The request is too large.');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as Value;
}
