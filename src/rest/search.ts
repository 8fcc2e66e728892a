/** POST /api/v1/search: finds passages in the service's own documents that answer a question. */
import type * as z from 'zod';
import { searchRequest } from '../catalogue/request-bodies.ts';
import { withAddresses } from '../content/addresses.ts';
import { embedWith } from '../content/embed-passages.ts';
import type { Match } from '../content/passage-index.ts';
import { search } from '../content/search.ts';
import { asData } from '../content/untrusted-text.ts';
import type { Config } from '../core/config.ts';
import type { App, AppContext } from '../http.ts';
import { jsonEndpoint } from './json-endpoint.ts';

export function searchRoute(app: App): void {
  jsonEndpoint(app, {
    path: '/api/v1/search',
    surface: 'search',
    what: 'the question as application/json',
    schema: searchRequest,
    answer,
  });
}

async function answer(
  c: AppContext,
  { query, topK }: z.output<typeof searchRequest>,
): Promise<Response> {
  const { config, ports, vectors, passages: index } = c.env.services;
  const embed = embedWith(ports.models, {
    signal: c.env.callerSignal(),
    // The tokens are not charged. A question uses only about twenty tokens, so the limit on searches is sufficient.
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
    { headers: { 'Cache-Control': 'no-store' } },
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
