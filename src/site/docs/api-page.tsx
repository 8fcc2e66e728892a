/** /docs/api: the OpenAPI document as a page; its requests can be sent on the tools' own pages. */
import { isExecutable } from '../../catalogue/catalogue.ts';
import type { JsonSchema } from '../../catalogue/json-schema.ts';
import { parametersSchema, resultSchema } from '../../catalogue/json-schema.ts';
import type { Tool } from '../../core/define-tool.ts';
import { TOOLS } from '../../tools/registry.ts';
import { CodeBlock } from '../design/code-block.tsx';
import type { Site } from '../site.ts';
import { callsOf } from '../tool/calls.ts';
import { DocsLayout } from './docs-layout.tsx';
import { PropertyTable } from './property-table.tsx';

interface Operation {
  summary: string;
  operationId: string;
  responses: Record<string, { description: string }>;
}

export function ApiPage({ site, description }: { site: Site; description: JsonSchema }) {
  const paths = description.paths as Record<string, Record<string, Operation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // A path may have parameters of its own beside its methods.
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ path, method, operation })),
  );
  const tools = TOOLS.filter(isExecutable);
  const places = [
    ...operations.map(({ operation }) => ({ id: operation.operationId, name: operation.summary })),
    ...tools.map(({ name }) => ({ id: name, name })),
  ];
  return (
    <DocsLayout
      site={site}
      title="API reference"
      summary="Every endpoint and every tool with its parameters, made from the OpenAPI description."
      places={places}
    >
      <p>
        For programs: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a> (OpenAPI 3.1). The
        address is <code>{site.baseUrl}</code>; a key goes into{' '}
        <code>Authorization: Bearer tsk_…</code>.
      </p>
      {operations.map((shown) => (
        <OperationSection {...shown} site={site} />
      ))}
      {tools.map((tool) => (
        <ToolSection tool={tool} site={site} />
      ))}
    </DocsLayout>
  );
}

interface OperationSectionProps {
  site: Site;
  path: string;
  method: string;
  operation: Operation;
}

function OperationSection({ site, path, method, operation }: OperationSectionProps) {
  const isPlain = method === 'get' && !path.includes('{');
  return (
    <section class="operation stack" aria-labelledby={operation.operationId}>
      <h2 id={operation.operationId}>{operation.summary}</h2>
      <p>
        <span class="chip accent">{method.toUpperCase()}</span> <code>{path}</code>
      </p>
      <dl class="facts">
        {Object.entries(operation.responses).map(([status, response]) => (
          <>
            <dt>{status}</dt>
            <dd>{response.description}</dd>
          </>
        ))}
      </dl>
      {isPlain && (
        <CodeBlock code={`curl -s ${site.baseUrl}${path}`} what={`the call of ${path}`} />
      )}
    </section>
  );
}

function ToolSection({ site, tool }: { site: Site; tool: Tool }) {
  const result = resultSchema(tool);
  const [curl] = callsOf(tool, site.baseUrl);
  return (
    <section class="operation stack" aria-labelledby={tool.name}>
      <div class="cluster apart">
        <h2 id={tool.name}>{tool.name}</h2>
        <a href={`/tools/${tool.name}`}>
          Send this request<span class="hidden"> of {tool.name}</span>
        </a>
      </div>
      <p class="prose">{tool.description}</p>
      <h3>Parameters</h3>
      <PropertyTable schema={parametersSchema(tool)} name={`Parameters of ${tool.name}`} />
      {tool.files && (
        <p class="small soft">
          Attach the {tool.files.max > 1 ? 'files as parts named ' : 'file as a part named '}
          <code>{tool.files.max > 1 ? 'files' : 'file'}</code>.
        </p>
      )}
      <h3>Result</h3>
      {tool.produces && <p>A file: {tool.produces.join(', ')}.</p>}
      {result && <PropertyTable schema={result} name={`Result of ${tool.name}`} />}
      <CodeBlock code={curl!.code} what={`the call of ${tool.name}`} />
    </section>
  );
}
