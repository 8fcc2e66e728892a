/**
 * The routes of the chain page. It works without scripts: each button posts the form, and the response is the updated
 * page.
 */

import { forPeople } from '../../access/advice.ts';
import { notFound } from '../../core/errors.ts';
import { MAX_STEPS } from '../../execute/chain-steps.ts';
import { type App, type AppContext, endpoint } from '../../http.ts';
import { findTool } from '../../tools/find-tool.ts';
import { callRest } from '../call-rest.ts';
import { cachedPage, page } from '../page.ts';
import { siteOf } from '../site.ts';
import { currentQuotaText } from '../tool/current-quota.ts';
import { readForm } from '../tool/read-form.ts';
import { toolsOff } from '../tools-off.ts';
import { changeSteps } from './change-steps.ts';
import { readFormSteps } from './read-steps.ts';
import { stepsOfRecipe } from './recipe.ts';
import { type ChainOutcome, chainQuotaText, outcomeOfJob, runSteps } from './run-steps.ts';
import { isStepTool, isUpload, type Step, UPLOAD, uploadedBy, withoutUploads } from './steps.ts';
import { type Template, templateNamed } from './templates.ts';

const EXECUTE = '/api/v1/tools/execute';
/** The form field that the page's script sends if it uploaded the files itself. Their links are then not shown. */
const TEMPORARY = 'temporary';

export function chainPageRoutes(app: App, api: App): void {
  endpoint(app, '/chains', { GET: empty, POST: (c) => answer(api, c) });
  // The script sends each file in a separate request, so that it is streamed. A form would be buffered in memory.
  endpoint(app, '/chains/inputs', { POST: (c) => callRest(api, c, '/api/v1/inputs', c.req.raw) });
  endpoint(app, '/chains/left', { GET: left });
  endpoint(app, '/chains/upload', { POST: (c) => callRest(api, c, EXECUTE, c.req.raw) });
}

/** Returns the remaining quota for the tool in the query, as one line of text. */
async function left(c: AppContext): Promise<Response> {
  const tool = findTool(c.req.query('tool') ?? '');
  if (!tool || !isStepTool(tool))
    throw notFound('This tool does not exist, or it cannot be a step of a chain.');
  const text = await currentQuotaText(c, tool, chainQuotaText);
  return new Response(text, { headers: { 'Cache-Control': 'no-store' } });
}

async function empty(c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const off = toolsOff(c);
  const { ChainPage } = await import('./chain-page.tsx');
  const { add, template, recipe } = c.req.query();
  if (add === undefined && template === undefined && recipe === undefined)
    return cachedPage(site, '', () => ChainPage({ site, steps: [], off }));
  const known = templateNamed(template ?? '');
  const steps =
    (recipe !== undefined && stepsOfRecipe(recipe)) ||
    known?.steps ||
    changeSteps([], `add ${add}`).steps;
  return page(ChainPage({ site, steps, off, template: known, isOpened: add === undefined }), {
    storageUrl: site.storageUrl,
  });
}

async function answer(app: App, c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const off = toolsOff(c);
  const { ChainPage } = await import('./chain-page.tsx');
  const show = (
    steps: readonly Step[],
    outcome?: ChainOutcome,
    announcement?: string,
    template?: Template,
  ) =>
    page(ChainPage({ site, steps, off, template, outcome, announcement }), {
      status: outcome?.status ?? 200,
      storageUrl: site.storageUrl,
      headers: { 'Cache-Control': 'no-store' },
    });
  try {
    const form = await readForm(c);
    const given = readFormSteps(form, MAX_STEPS + 1);
    const refused = await upload(app, c, form, given);
    const textOf = (name: string) => String(form.get(name) ?? '');
    const what = textOf('do');
    const { steps, announcement } = changeSteps(given, what, textOf('at'));
    const outcome = refused ?? (await outcomeOf(app, c, what, steps));
    if (outcome instanceof Response) return outcome;
    const shown = form.has(TEMPORARY) ? withoutUploads(steps) : steps;
    return show(shown, outcome, announcement, templateNamed(textOf('template')));
  } catch (error) {
    const { status, message } = c.env.fail(error);
    return show([], { status, steps: [], message: forPeople(message), quota: '' });
  }
}

/** If `what` is `run`, runs the steps. If `what` is `result` followed by a job ID, returns the outcome of that job. */
async function outcomeOf(
  app: App,
  c: AppContext,
  what: string,
  steps: readonly Step[],
): Promise<ChainOutcome | Response | undefined> {
  const [verb, id] = what.split(' ');
  if (verb === 'run') return runSteps(app, c, steps);
  return verb === 'result' ? outcomeOfJob(app, c, steps, id ?? '') : undefined;
}

/** Stores the form's files, and adds their links to the upload step. Returns an outcome if a file is rejected. */
async function upload(
  app: App,
  c: AppContext,
  form: FormData,
  steps: readonly Step[],
): Promise<ChainOutcome | undefined> {
  const [step] = steps;
  if (!step || !isUpload(step)) return undefined;
  for (const file of [...form.getAll('file'), ...form.getAll('files')]) {
    if (typeof file === 'string' || file.name === '') continue;
    const body = new FormData();
    body.set('tool', UPLOAD);
    body.set('file', file);
    const stored = await callRest(app, c, EXECUTE, { method: 'POST', body });
    const { url, error } = (await stored.json()) as { url: string; error?: string };
    if (error !== undefined) {
      const steps: ChainOutcome['steps'] = [{ status: 'failed', message: error, warnings: [] }];
      return { status: stored.status, steps, quota: '' };
    }
    step.values.links = [...uploadedBy(step), url].join('\n');
  }
  return undefined;
}
