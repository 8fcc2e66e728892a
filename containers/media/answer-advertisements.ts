/**
 * Handles POST /advertisements/request and /advertisements/elements, which check a request or a page's elements against
 * the filter lists.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { badRequest } from '../../src/core/errors.ts';
import { hidingStyle, isAdvertisement } from './filter-lists.ts';
import { readJson } from './read-json.ts';

const MAX_BYTES = 4 * 2 ** 20;

export async function answerAdvertisements(
  question: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requested = await readJson<Record<string, unknown>>(request, MAX_BYTES);
  const text = (name: string) => (typeof requested[name] === 'string' ? requested[name] : '');
  const page = text('page');
  if (!URL.canParse(page)) throw badRequest('`page` must be an absolute URL.');
  const answer =
    question === 'request'
      ? { blocked: await isAdvertisement(text('url'), text('type'), page) }
      : { css: await hidingStyle(page, texts(requested.ids), texts(requested.classes)) };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
}

/** Ignores entries that are not strings, because the page's own scripts may have influenced the list. */
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
