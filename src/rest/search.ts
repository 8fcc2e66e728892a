/** POST /api/v1/search: finds passages of the service's own documents that answer a question. */
import { withAddresses } from '../content/addresses.ts';
import { embedWith } from '../content/embed-passages.ts';
import type { Match } from '../content/passage-index.ts';
import { search } from '../content/search.ts';
import type { Config } from '../core/config.ts';
import { badRequest } from '../core/errors.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { departureOf } from '../lib/departure.ts';
import { sha256 } from '../lib/sha256.ts';
import { asData } from '../lib/untrusted-text.ts';
import { answerOnce } from './answer-once.ts';
import { readJson } from './read-call.ts';

const MAX_QUERY = 500;
const MAX_TOP_K = 10;
const DEFAULT_TOP_K = 5;

export function searchRoute(app: App): void {
  endpoint(app, '/api/v1/search', { POST: searchPassages }, 'search');
}

async function searchPassages(c: AppContext): Promise<Response> {
  const admission = await c.env.arrive('search');
  await admission.enter();
  const requested = await readJson(c.req.raw, 'the question as application/json');
  return answerOnce(
    c,
    admission,
    () => sha256(JSON.stringify(requested)),
    () => answer(c, requested),
  );
}

async function answer(c: AppContext, requested: Record<string, unknown>): Promise<Response> {
  const { query, topK, ignored } = readQuestion(requested);
  const { config, ports, vectors, passages: index } = c.env.services;
  const embed = embedWith(ports.models, {
    signal: departureOf(c.req.raw),
    // A question has about twenty tokens, which the limit of searches bounds.
    spend: () => {},
  });
  const { passages, retrieval } = await search(query, topK, {
    index: await index(),
    vectors,
    embed,
  });
  return Response.json(
    {
      query,
      passages: passages.map((each) => shown(each, config)),
      count: passages.length,
      retrieval,
    },
    {
      headers: {
        'Cache-Control': 'no-store',
        ...(ignored.length > 0 && {
          'X-Tool-Warnings': `Ignored, since search has no such fields: ${ignored.join(', ')}`,
        }),
      },
    },
  );
}

const shown = ({ passage, score }: Match, config: Config) => ({
  score: Math.round(score * 1e4) / 1e4,
  text: asData(withAddresses(passage.text, config)),
  title: passage.title,
  path: passage.path,
  section: passage.section,
  heading: passage.heading,
  url: config.baseUrl + passage.path,
});

function readQuestion({ query, topK = DEFAULT_TOP_K, ...others }: Record<string, unknown>) {
  if (typeof query !== 'string' || query.trim() === '') {
    throw badRequest('"query" must be a string that says what is looked for.', 'query');
  }
  const length = [...query].length;
  if (length > MAX_QUERY) {
    throw badRequest(`"query" has ${length} characters; at most ${MAX_QUERY} are taken.`, 'query');
  }
  if (typeof topK !== 'number' || !Number.isInteger(topK) || topK < 1 || topK > MAX_TOP_K) {
    throw badRequest(`"topK" must be a whole number from 1 to ${MAX_TOP_K}.`, 'topK');
  }
  const ignored = Object.keys(others)
    .slice(0, 5)
    .map((name) => encodeURIComponent(name.slice(0, 40).toWellFormed()));
  return { query, topK, ignored };
}
