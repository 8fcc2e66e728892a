/**
 * Registers the pages of the tools. Calls go through the REST API, so that they are counted, checked and run like any
 * other call.
 */
import { forPeople } from '../../access/advice.ts';
import { ownRatesText } from '../../access/own-limits.ts';
import { isExecutable } from '../../catalogue/catalogue.ts';
import type { Tool } from '../../core/define-tool.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { MB } from '../../core/limits.ts';
import type { Failure } from '../../execute/failure.ts';
import { missingFor } from '../../execute/missing-component.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { contentDisposition } from '../../lib/filename.ts';
import { findTool } from '../../tools/find-tool.ts';
import { callRest } from '../call-rest.ts';
import { textOf } from '../markup-text.ts';
import { cachedPage, page } from '../page.ts';
import { siteOf } from '../site.ts';
import type { Sent } from './calls.ts';
import { currentQuotaText } from './current-quota.ts';
import { toolDocument } from './documents.ts';
import { quotaText } from './quota-text.ts';
import { readToolForm } from './read-form.ts';
import { beginning } from './stream-beginning.ts';
import type { Entered } from './tool-form.tsx';

/** The maximum size of JSON that is shown on a page, in bytes. */
const MAX_SHOWN_BYTES = 2 * MB;

export function toolPageRoutes(app: App, api: App): void {
  endpoint(app, '/tools', {
    GET: () => new Response(null, { status: 301, headers: { Location: '/#tools' } }),
  });
  // The content endpoint lists a tool's document under this path, although the document is part of the tool's page.
  endpoint(app, '/docs/tools/:name', {
    GET: (c) =>
      new Response(null, { status: 301, headers: { Location: `/tools/${toolOf(c).name}#about` } }),
  });
  endpoint(app, '/tools/:name', {
    GET: async (c) => {
      const tool = toolOf(c);
      const library = await c.env.services.library();
      return cachedPage(siteOf(c), library.digest, async () => {
        const { ToolPage } = await import('./tool-page.tsx');
        return ToolPage(await pageOf(c, tool));
      });
    },
    POST: (c) => answerForm(api, c),
  });
  endpoint(app, '/tools/:name/left', { GET: left });
  endpoint(app, '/tools/:name/run', { POST: (c) => run(api, c) });
  endpoint(app, '/tools/:name/jobs/:id', { GET: (c) => jobResult(api, c) });
}

function toolOf(c: AppContext) {
  const tool = findTool(c.req.param('name') ?? '');
  if (!tool) throw notFound('There is no tool with this name.');
  return tool;
}

/** Returns the properties of a tool's page that do not depend on a call. */
const pageOf = async (c: AppContext, tool: Tool) => ({
  site: siteOf(c),
  tool,
  document: await toolDocument(c, tool),
  missing: missingFor(tool, c.env.services.ports),
});

/**
 * Returns the remaining quota. The page's script gets one line of text, and visitors without scripts get the page with
 * that line.
 */
async function left(c: AppContext): Promise<Response> {
  const tool = toolOf(c);
  if (!isExecutable(tool)) throw notFound(`${tool.name} runs in your browser without limits.`);
  const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' };
  const text = await currentQuotaText(c, tool);
  if (c.req.header('Accept') === 'text/plain') return new Response(text, { headers });
  const { ToolPage } = await import('./tool-page.tsx');
  const given = await pageOf(c, tool);
  const site = { ...given.site, path: `/tools/${tool.name}` };
  return page(ToolPage({ ...given, site, left: text }), { headers });
}

/**
 * Handles a call from the page's script. Returns the response of the REST API, except that a JSON result becomes a page
 * fragment or the stored file to which it links.
 */
async function run(api: App, c: AppContext): Promise<Response> {
  const tool = toolOf(c);
  const answer = await execute(api, c, c.req.raw);
  const shown = await shownPart(answer, tool);
  return shown instanceof Response
    ? shown
    : presentValue(api, c, tool, shown.value, answer.headers);
}

/**
 * Returns the response to the page's script for a JSON result. This is the stored file if the result links to one,
 * otherwise a page fragment.
 */
const presentValue = async (api: App, c: AppContext, tool: Tool, value: Result, headers: Headers) =>
  (await storedFile(api, c, value, headers)) ?? pieceOf(c, tool, value, headers);

/** Returns the result of a job, in the same format as `run`. */
async function jobResult(api: App, c: AppContext): Promise<Response> {
  const tool = toolOf(c);
  const answer = await callRest(api, c, `/api/v1/jobs/${c.req.param('id')}`);
  if (!answer.ok) return answer;
  const { status, result, error, warnings } = (await answer.json()) as Job;
  if (error) return Response.json(error, { status: error.status });
  if (!result) throw conflict(`The job is ${status}.`);
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  if (warnings) headers.set('X-Tool-Warnings', encodeURIComponent(warnings.join(' | ')));
  // Without the token, `presentValue` does not delete the file. The page deletes the file together with the job.
  return presentValue(api, c, tool, { ...result, deleteToken: undefined }, headers);
}

type Result = Record<string, unknown>;

/**
 * Returns the stored file that the result of this call links to, with the rate-limit and warning headers of the call.
 * If the result has a delete token, the file is deleted after it is sent. Returns null for any other result, and for
 * uploads, because their result is the link itself.
 */
async function storedFile(
  api: App,
  c: AppContext,
  { url, fileId, deleteToken, inputBytes, metadata }: Result,
  given: Headers,
): Promise<Response | null> {
  const { storageUrl } = siteOf(c);
  if (fileId !== undefined || !String(url).startsWith(`${storageUrl}/files/`)) return null;
  const path = String(url).slice(storageUrl.length);
  const file = await callRest(api, c, path);
  if (!file.body) return file;
  const { readable, writable } = new FixedLengthStream(Number(file.headers.get('Content-Length')));
  const sent = file.body.pipeTo(writable).catch(() => {});
  if (deleteToken !== undefined) {
    const request = { method: 'DELETE', headers: { 'X-Delete-Token': String(deleteToken) } };
    c.executionCtx.waitUntil(sent.then(() => callRest(api, c, path, request)));
  }
  const answer = new Response(readable, file);
  for (const [name, value] of given) {
    if (/^(x-)?(ratelimit|tool-warnings)/i.test(name)) answer.headers.set(name, value);
  }
  answer.headers.set('Cache-Control', 'no-store');
  const before = inputBytes ?? (metadata as Result | undefined)?.inputBytes;
  if (before !== undefined) answer.headers.set('X-Input-Bytes', String(before));
  return answer;
}

/** A job as the API reports it. */
interface Job {
  status: string;
  result?: Result;
  error?: Failure;
  warnings?: string[];
}

/** Returns a result as a page fragment. */
async function pieceOf(
  c: AppContext,
  tool: Tool,
  value: Result,
  given: Headers,
): Promise<Response> {
  const { JsonResult } = await import('./results/json-result.tsx');
  const markup = await textOf(JsonResult({ tool, value, site: siteOf(c) }));
  const headers = new Headers(given);
  headers.delete('Content-Length');
  headers.set('Content-Type', 'text/html; charset=utf-8');
  // Prevents scripts from running if the fragment is opened as a page.
  headers.set('Content-Security-Policy', 'sandbox');
  return new Response(markup, { headers });
}

/** Handles a form that was posted without a script. A file or large JSON is downloaded, other results are shown. */
async function answerForm(api: App, c: AppContext): Promise<Response> {
  const tool = toolOf(c);
  const given = await pageOf(c, tool);
  const { site } = given;
  const { ToolPage } = await import('./tool-page.tsx');
  const { JsonResult } = await import('./results/json-result.tsx');
  const show = (status: number, entered: Entered, result?: unknown, headers = new Headers()) =>
    page(
      ToolPage({
        ...given,
        entered,
        sent,
        result: result as never,
        warnings: headers.get('X-Tool-Warnings') ?? '',
        left: quotaText(headers, ownRatesText(tool)),
      }),
      { status, storageUrl: site.storageUrl, headers: { 'Cache-Control': 'no-store' } },
    );
  let values: Record<string, string> = {};
  let sent: Sent | undefined;
  try {
    const form = await readToolForm(c, tool);
    ({ values, sent } = form);
    const request = new Request(c.req.url, {
      method: 'POST',
      body: form.call,
      signal: c.req.raw.signal,
    });
    const answer = await execute(api, c, request);
    if (!answer.ok) {
      const { error, param } = (await answer.json()) as { error: string; param?: string };
      return show(answer.status, { values, message: error, param }, null, answer.headers);
    }
    const shown = await shownPart(answer, tool);
    if (shown instanceof Response) return shown;
    return show(200, { values }, JsonResult({ tool, site, ...shown }), answer.headers);
  } catch (error) {
    const { status, message, param } = c.env.fail(error);
    return show(status, { values, message: forPeople(message), param });
  }
}

/** Sends the call to the REST API. */
function execute(api: App, c: AppContext, request: Request): Promise<Response> {
  return callRest(api, c, '/api/v1/tools/execute', request);
}

/**
 * Parses a JSON result. If it is too large for a page, returns it as a file instead. Returns any other response
 * unchanged.
 */
async function shownPart(answer: Response, tool: Tool): Promise<{ value: Result } | Response> {
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') ?? false;
  if (answer.status !== 200 || !isJson || !answer.body) return answer;
  const { bytes, rest } = await beginning(answer.body, MAX_SHOWN_BYTES);
  if (!rest) return { value: JSON.parse(new TextDecoder().decode(bytes)) as Result };
  const file = new Response(rest, answer);
  if (!file.headers.has('Content-Disposition')) {
    file.headers.set('Content-Disposition', contentDisposition('attachment', `${tool.name}.json`));
  }
  return file;
}
