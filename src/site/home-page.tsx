/** The page at the address itself: what this is, how to call it, and every tool there is. */
import { isExecutable } from '../catalogue/catalogue.ts';
import { TOOLS } from '../tools/registry.ts';
import { Layout } from './layout.tsx';

export function HomePage({ serviceName, baseUrl }: { serviceName: string; baseUrl: string }) {
  return (
    <Layout
      title={`${serviceName}: developer tools over one HTTP API`}
      description="Merge and split PDFs, host files, make QR codes, encode, decode and compare, over one HTTP API."
    >
      <h1>{serviceName}</h1>
      <p>
        Developer tools over one HTTP API. No key is needed;{' '}
        <a href="/developers">one of your own</a> raises the limits.
      </p>
      <pre>
        <code>{`curl -s ${baseUrl}/api/v1/tools/execute \\
  -F tool=merge_pdf -F files=@first.pdf -F files=@second.pdf -o merged.pdf`}</code>
      </pre>
      <p>
        The tools with their parameters: <a href="/api/v1/tools">/api/v1/tools</a>. The API for
        programs: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
      </p>
      <h2>Tools</h2>
      <dl>
        {TOOLS.map((tool) => (
          <>
            <dt>
              {isExecutable(tool) ? (
                <code>{tool.name}</code>
              ) : (
                <a href={`/tools/${tool.name}`}>
                  <code>{tool.name}</code>
                </a>
              )}
            </dt>
            <dd>{tool.description}</dd>
          </>
        ))}
      </dl>
    </Layout>
  );
}
