/** A call of a page at the REST door, inside the Worker: counted, checked and run as any other. */
import type { App, AppContext } from '../http.ts';

/** Sends `request` to `path`; without one, asks for what is there. The caller stays who asked for the page. */
export function atDoor(
  app: App,
  c: AppContext,
  path: string,
  request: RequestInit | Request = {},
): Promise<Response> {
  const call = new Request(new URL(path, c.req.url), request);
  call.headers.set('Accept', 'application/json');
  return Promise.resolve(app.fetch(call, c.env, c.executionCtx));
}
