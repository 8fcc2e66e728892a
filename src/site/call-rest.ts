/** Calls the REST API inside the Worker for a page's handler. The call is counted and checked like any other call. */
import { forPeople } from '../access/advice.ts';
import type { App, AppContext } from '../http.ts';

/**
 * Sends `request` to `path` on behalf of the visitor. Sends a GET if `request` is omitted. Error messages with the
 * status 400, 401 or 429 are worded for people.
 */
export async function callRest(
  app: App,
  c: AppContext,
  path: string,
  request: RequestInit | Request = {},
): Promise<Response> {
  const call = new Request(new URL(path, c.req.url), request);
  // `*/*` makes the API return a file as bytes and an error as JSON.
  call.headers.set('Accept', '*/*');
  const answer = await app.fetch(call, c.env, c.executionCtx);
  if (![400, 401, 429].includes(answer.status)) return answer;
  const problem = (await answer.json()) as { error: string };
  const headers = new Headers(answer.headers);
  headers.delete('Content-Length');
  return Response.json(
    { ...problem, error: withField(forPeople(problem.error)) },
    { status: answer.status, headers },
  );
}

/** Removes the advice on how programs send files, because pages have a file field. */
const withField = (message: string): string => message.replace(/ Over REST, attach .*/s, '');
