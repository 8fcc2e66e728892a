/** The chain page. It works without scripts: each button posts the form, and the page comes back with the change. */

import { forPeople } from '../../access/advice.ts';
import { linkNameOf } from '../../core/define-tool.ts';
import { ToolError } from '../../core/errors.ts';
import { MOST_STEPS } from '../../execute/chain-steps.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { callRest } from '../call-rest.ts';
import { cachedPage, page } from '../page.ts';
import { siteOf } from '../site.ts';
import { readForm } from '../tool/read-form.ts';
import { changeHops } from './change-hops.ts';
import { type Hop, prefixOf, readHops } from './hops.ts';
import { type Outcome, runHops } from './run-hops.ts';

const EXECUTE = '/api/v1/tools/execute';

export function chainPageRoutes(app: App, api: App): void {
  endpoint(app, '/chains', { GET: empty, POST: (c) => answer(api, c) });
  // A file alone is streamed; a form is buffered in memory.
  endpoint(app, '/chains/upload', { POST: (c) => callRest(api, c, EXECUTE, c.req.raw) });
}

async function empty(c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const { ChainPage } = await import('./chain-page.tsx');
  const added = c.req.query('add');
  if (added === undefined) return cachedPage(site, '', () => ChainPage({ site, hops: [] }));
  const { hops } = changeHops([], 'add', added);
  return page(ChainPage({ site, hops }), { storageUrl: site.storageUrl });
}

async function answer(app: App, c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const { ChainPage } = await import('./chain-page.tsx');
  const show = (hops: readonly Hop[], outcome?: Outcome, said?: string) =>
    page(ChainPage({ site, hops, outcome, said }), {
      status: outcome?.status ?? 200,
      storageUrl: site.storageUrl,
      headers: { 'Cache-Control': 'no-store' },
    });
  try {
    const form = await readForm(c);
    const given = readHops(form, MOST_STEPS);
    const refused = await upload(app, c, form, given);
    const what = String(form.get('do') ?? '');
    const { hops, said } = changeHops(given, what, String(form.get('add') ?? ''));
    return show(hops, refused ?? (what === 'run' ? await runHops(app, c, hops) : undefined), said);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { status, message } = error;
    return show([], { status, hops: [], message: forPeople(message), left: '' });
  }
}

/** Stores the form's files and puts their links into their steps; reports what was refused. */
async function upload(
  app: App,
  c: AppContext,
  form: FormData,
  hops: readonly Hop[],
): Promise<Outcome | undefined> {
  for (const [index, hop] of hops.entries()) {
    const name = linkNameOf(hop.tool);
    if (!name) continue;
    const isSeveral = name === 'fileUrls';
    for (const file of form.getAll(`${prefixOf(index)}upload`) as (string | File)[]) {
      if (typeof file === 'string' || file.name === '') continue;
      const body = new FormData();
      body.set('tool', findTool('upload_file')!.name);
      body.set('file', file);
      const stored = await callRest(app, c, EXECUTE, { method: 'POST', body });
      const { url, error } = (await stored.json()) as { url: string; error?: string };
      if (error !== undefined) {
        const outcomes: Outcome['hops'] = [];
        outcomes[index] = { status: 'failed', message: error, param: name, warnings: [] };
        return { status: stored.status, hops: outcomes, left: '' };
      }
      const links = isSeveral ? [hop.values[name], url].filter(Boolean) : [url];
      hop.values[name] = links.join('\n');
      hop.parameters[name] = isSeveral ? hop.values[name].split('\n') : url;
    }
  }
  return undefined;
}
