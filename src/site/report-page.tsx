/** Renders /abuse, the page on which anyone can report a stored file or a short link. */
import { requireOwnOrigin, signInSite } from '../access/accounts/sign-in-site.ts';
import { addReport, MAX_CONTACT, MAX_DETAILS } from '../admin/report.ts';
import { type App, type AppContext, endpoint } from '../http.ts';
import { mediaTypeOf } from '../lib/body.ts';
import { ReasonField } from './admin/act-form.tsx';
import { Layout } from './design/layout.tsx';
import { limitVisitor } from './developers/visit.ts';
import { page } from './page.ts';
import { readPostedForm, readPostedJson } from './posted-form.ts';
import { siteOf } from './site.ts';

export function reportRoutes(app: App): void {
  endpoint(app, '/abuse', {
    GET: (c) => reportPage(c, { fields: { url: c.req.query('url')?.slice(0, 2000) } }),
    POST: (c) => {
      const isJson = mediaTypeOf(c.req.raw.headers.get('Content-Type')) === 'application/json';
      // JSON without `Origin` comes from a program, not from a web page.
      if (!isJson || c.req.header('Origin') !== undefined) {
        requireOwnOrigin(c.req.raw, signInSite(c.req.url, c.env.services.config.baseUrl));
      }
      return isJson ? reportAsJson(c) : reportByForm(c);
    },
  });
}

type Fields = Record<string, unknown>;

async function send(c: AppContext, fields: Fields): Promise<string> {
  await limitVisitor(c, 'report');
  const { services } = c.env;
  const report = await addReport(fields, services, Date.now());
  const query = encodeURIComponent(`report:${report.id}`);
  services.sendReport(report, `${services.config.baseUrl}/admin/find?q=${query}`);
  return report.id;
}

async function reportAsJson(c: AppContext): Promise<Response> {
  const id = await send(c, await readPostedJson(c.req.raw));
  return Response.json({ id }, { status: 201, headers: { 'Cache-Control': 'no-store' } });
}

async function reportByForm(c: AppContext): Promise<Response> {
  const fields = Object.fromEntries(await readPostedForm(c.req.raw));
  try {
    return await reportPage(c, { fields: {}, id: await send(c, fields), status: 201 });
  } catch (error) {
    const { status, message, param, retryAfter } = c.env.fail(error);
    if (retryAfter !== undefined) c.env.carry({ 'Retry-After': String(retryAfter) });
    return reportPage(c, { fields, status, problem: { message, param } });
  }
}

interface ReportView {
  fields: Fields;
  status?: number;
  /** The ID of the report that the visitor sent. */
  id?: string;
  problem?: { message: string; param: string | undefined };
}

function reportPage(c: AppContext, { fields, status, id, problem }: ReportView): Promise<Response> {
  const site = siteOf(c);
  const title = 'Report abuse';
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const field = (name: string) => ({
    id: name,
    name,
    'aria-invalid': problem?.param === name ? ('true' as const) : undefined,
    'aria-describedby': problem?.param === name ? 'problem' : undefined,
  });
  const markup = (
    <Layout
      site={site}
      title={`${title} · ${site.serviceName}`}
      description={`Report a file or a short link on ${site.serviceName} to its operator.`}
    >
      <div class="developers account stack loose">
        <h1>{title}</h1>
        {id ? (
          <p class="notice" role="status">
            Thank you. The operator will review your report. The report number is <code>{id}</code>.
          </p>
        ) : (
          <p class="lead">
            Report a file or a short link on this service. Only the operator reads the report. It is
            deleted 90 days after it is closed.
          </p>
        )}
        {problem && (
          <p class="notice bad" role="alert" id="problem">
            {problem.message}
          </p>
        )}
        <form class="card report" method="post" action="/abuse">
          <label for="url">Link to the file, or short link</label>
          <input {...field('url')} value={text('url')} required maxlength={2000} />
          <ReasonField id="reason" chosen={text('reason')} />
          <label for="details">
            What is wrong <span class="hint">(optional)</span>
          </label>
          <textarea {...field('details')} rows={5} maxlength={MAX_DETAILS}>
            {text('details')}
          </textarea>
          <label for="contact">
            How to reach you <span class="hint">(optional)</span>
          </label>
          <input {...field('contact')} value={text('contact')} maxlength={MAX_CONTACT} />
          <button type="submit" class="main">
            Send the report
          </button>
        </form>
      </div>
    </Layout>
  );
  return page(markup, { status, personal: true });
}
