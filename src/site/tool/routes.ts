/** The pages of the tools. A call goes through the REST door, so that it is counted, checked and run as any other. */
import { isExecutable } from '../../catalogue/catalogue.ts';
import { notFound, ToolError } from '../../core/errors.ts';
import { MB } from '../../core/limits.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { findTool } from '../../tools/registry.ts';
import { keptPage, page } from '../page.ts';
import { siteOf } from '../site.ts';
import { documentsVersion, toolDocument } from './documents.ts';
import { readToolForm } from './read-form.ts';
import type { Entered } from './tool-form.tsx';

const MAX_SHOWN_BYTES = 2 * MB;

export function toolPageRoutes(app: App, api: App): void {
  endpoint(app, '/tools', {
    GET: () => new Response(null, { status: 301, headers: { Location: '/#tools' } }),
  });
  // Where the content lists a tool's document: it stands on the tool's page.
  endpoint(app, '/docs/tools/:name', {
    GET: (c) =>
      new Response(null, { status: 301, headers: { Location: `/tools/${toolOf(c).name}#about` } }),
  });
  endpoint(app, '/tools/:name', {
    GET: async (c) => {
      const tool = toolOf(c);
      const site = siteOf(c);
      return keptPage(site, await documentsVersion(c), async () => {
        const document = await toolDocument(c, tool);
        if (isExecutable(tool)) {
          const { ToolPage } = await import('./tool-page.tsx');
          return ToolPage({ site, tool, document });
        }
        const { BrowserToolPage } = await import('../browser-tools/browser-tool-page.tsx');
        return BrowserToolPage({ site, tool, document });
      });
    },
    POST: (c) => answerForm(api, c),
  });
  endpoint(app, '/tools/:name/run', { POST: (c) => run(api, c) });
}

function toolOf(c: AppContext) {
  const tool = findTool(c.req.param('name') ?? '');
  if (!tool) throw notFound('There is no tool of this name.');
  return tool;
}

/** A call of the page's script, in the form that REST takes: a file as it is, JSON as a piece of the page. */
async function run(api: App, c: AppContext): Promise<Response> {
  const tool = toolOf(c);
  const { JsonResult } = await import('./results/json-result.tsx');
  const answer = await execute(api, c, c.req.raw);
  if (!isShown(answer)) return answer;
  const value = (await answer.json()) as Record<string, unknown>;
  const markup = String(await JsonResult({ tool, value, site: siteOf(c) }));
  const headers = new Headers(answer.headers);
  headers.delete('Content-Length');
  headers.set('Content-Type', 'text/html; charset=utf-8');
  // It is no page: shown by itself it may do nothing.
  headers.set('Content-Security-Policy', 'sandbox');
  return new Response(markup, { headers });
}

/** A form that was posted without a script: a file comes down, anything else is the page with the result. */
async function answerForm(api: App, c: AppContext): Promise<Response> {
  const tool = toolOf(c);
  const site = siteOf(c);
  const document = await toolDocument(c, tool);
  const { ToolPage } = await import('./tool-page.tsx');
  const { JsonResult } = await import('./results/json-result.tsx');
  const show = (status: number, entered: Entered, result?: unknown) =>
    page(ToolPage({ site, tool, document, entered, result: result as never }), {
      status,
      storageUrl: site.storageUrl,
      headers: { 'Cache-Control': 'no-store' },
    });
  let values: Record<string, string> = {};
  try {
    const form = await readToolForm(c.req.raw, tool);
    values = form.values;
    const request = new Request(c.req.url, { method: 'POST', body: form.call });
    const answer = await execute(api, c, request);
    if (!answer.ok) {
      const { error, param } = (await answer.json()) as { error: string; param?: string };
      return show(answer.status, { values, message: error, param });
    }
    if (!isShown(answer)) return answer;
    const value = (await answer.json()) as Record<string, unknown>;
    return show(200, { values }, JsonResult({ tool, value, site }));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return show(error.status, { values, message: error.message, param: error.param });
  }
}

/** The same request at the REST door. */
function execute(api: App, c: AppContext, request: Request): Promise<Response> {
  const url = new URL('/api/v1/tools/execute', c.req.url);
  const call = new Request(url, request);
  call.headers.set('Accept', 'application/json');
  return Promise.resolve(api.fetch(call, c.env, c.executionCtx));
}

/** Whether an answer becomes a part of a page; what is too large for one comes down as a file. */
function isShown(answer: Response): boolean {
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') ?? false;
  const length = Number(answer.headers.get('Content-Length') ?? 0);
  const isFile = answer.headers.has('Content-Disposition');
  return answer.ok && isJson && !(isFile && length > MAX_SHOWN_BYTES);
}
