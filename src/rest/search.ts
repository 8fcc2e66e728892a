/** POST /api/v1/search: finds passages in the service's own documents that answer a question. */
import type * as z from 'zod';
import { searchRequest } from '../catalogue/request-bodies.ts';
import { findPassages } from '../content/find-passages.ts';
import type { Match } from '../content/passage-index.ts';
import { asData } from '../content/untrusted-text.ts';
import type { Config } from '../core/config.ts';
import type { App, AppContext } from '../http.ts';
import { jsonEndpoint } from './json-endpoint.ts';

export function searchRoute(app: App): void {
  jsonEndpoint(app, {
    path: '/api/v1/search',
    limit: 'search',
    what: 'the question as application/json',
    schema: searchRequest,
    answer,
  });
}

async function answer(c: AppContext, request: z.output<typeof searchRequest>): Promise<Response> {
  const { services } = c.env;
  const { passages, retrieval } = await findPassages(services, request, c.env.callerSignal());
  return Response.json(
    {
      query: request.query,
      passages: passages.map((each) => shown(each, services.config)),
      count: passages.length,
      retrieval,
    },
    { headers: { 'Cache-Control': 'no-store' } },
  );
}

const shown = ({ passage, score }: Match, config: Config) => ({
  score: Math.round(score * 1e4) / 1e4,
  text: asData(passage.text),
  title: passage.title,
  path: passage.path,
  section: passage.section,
  heading: passage.heading,
  url: config.baseUrl + passage.path,
});
