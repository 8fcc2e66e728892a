/** Renders /upload/SECRET, the page on which a person sends the file that an agent requested with create_upload. */
import { type App, type AppContext, limitedGet } from '../http.ts';
import { uploadFile } from '../tools/upload_file/upload_file.ts';
import { Layout } from './design/layout.tsx';
import { page } from './page.ts';
import { siteOf } from './site.ts';
import { FileField } from './tool/file-field.tsx';

export function uploadPageRoutes(app: App): void {
  limitedGet(app, '/upload/:secret', 'uploads', uploadPage);
}

async function uploadPage(c: AppContext): Promise<Response> {
  const site = siteOf(c);
  const secret = c.req.param('secret') ?? '';
  const promised = await c.env.services.uploads.find(secret, Date.now());
  const title = 'Send a file to your agent';
  const markup = (
    <Layout
      site={site}
      title={`${title} · ${site.serviceName}`}
      description="Send the file that your AI agent asked for."
      scripts={['upload-page.js']}
    >
      <div class="stack loose prose">
        <h1>{title}</h1>
        {promised ? (
          <form id="form" class="stack" data-address={`/api/v1/uploads/${secret}`}>
            <p>
              Your agent asked for <strong>{promised.filename}</strong>. Send it here, then tell
              your agent.
            </p>
            <FileField files={uploadFile.files!} />
            <p id="problem" class="notice bad" role="alert" hidden />
            <button type="submit">Send the file</button>
            <noscript>
              Without JavaScript:{' '}
              <code>
                curl -T NAME {site.baseUrl}/api/v1/uploads/{secret}
              </code>
            </noscript>
          </form>
        ) : (
          <p>This page has expired, or its file was already sent. Ask your agent for a new link.</p>
        )}
        <p id="done" class="notice" role="status" hidden />
      </div>
    </Layout>
  );
  return page(markup, {
    status: promised ? 200 : 404,
    personal: true,
    headers: { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' },
  });
}
