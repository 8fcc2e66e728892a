/** Calls the REST API from a page's handler, inside the Worker: counted, checked and run like any other call. */
import { forPeople } from '../access/advice.ts';
import type { App, AppContext } from '../http.ts';

/** Sends `request` to `path`; without a request, it GETs the path. The caller is the visitor. */
export async function callRest(
  app: App,
  c: AppContext,
  path: string,
  request: RequestInit | Request = {},
): Promise<Response> {
  const call = new Request(new URL(path, c.req.url), request);
  // Files are shown as bytes, and errors are JSON by default.
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

/** Removes advice for programs on how to send files; a page has a field for them. */
const withField = (message: string): string => message.replace(/ Over REST, attach .*/s, '');
