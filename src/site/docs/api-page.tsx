/** /docs/api: the OpenAPI document as a page on which each request can be sent. */
import { isExecutable } from '../../catalogue/catalogue.ts';
import type { JsonSchema } from '../../catalogue/json-schema.ts';
import { parametersSchema, resultSchema } from '../../catalogue/json-schema.ts';
import { partName, type Tool } from '../../core/define-tool.ts';
import { TOOLS } from '../../tools/registry.ts';
import { CodeBlock } from '../design/code-block.tsx';
import type { Site } from '../site.ts';
import { callsOf } from '../tool/calls.ts';
import { DocsLayout } from './docs-layout.tsx';
import { OperationSection } from './operation-section.tsx';
import { operationsOf } from './operations.ts';
import type { DocsLink } from './pages.ts';
import { PropertyTable } from './property-table.tsx';
import { RequestConsole } from './request-console.tsx';

const EXECUTE = { method: 'POST', path: '/api/v1/tools/execute', parameters: [] };

interface ApiPageProps {
  site: Site;
  pages: readonly DocsLink[];
  description: JsonSchema;
}

export function ApiPage({ site, pages, description }: ApiPageProps) {
  const operations = operationsOf(description);
  const tools = TOOLS.filter(isExecutable);
  const headings = [
    ...operations.map(({ id, summary }) => ({ id, name: summary })),
    ...tools.map(({ name }) => ({ id: name, name })),
  ];
  return (
    <DocsLayout
      site={site}
      pages={pages}
      title="API reference"
      summary="Every endpoint and every tool with its parameters, generated from the OpenAPI description."
      headings={headings}
      scripts={['console.js']}
    >
      <p>
        For programs: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a> (OpenAPI 3.1). The
        address is <code>{site.baseUrl}</code>; a key goes into{' '}
        <code>Authorization: Bearer tsk_…</code>.
      </p>
      <div class="field" data-js hidden>
        <label for="api-key">
          Your key <span class="hint">for requests sent from this page; not stored</span>
        </label>
        <input
          id="api-key"
          class="code"
          autocomplete="off"
          spellcheck={false}
          placeholder="tsk_…"
        />
      </div>
      {operations.map((operation) => (
        <OperationSection operation={operation} />
      ))}
      {tools.map((tool) => (
        <ToolSection tool={tool} site={site} />
      ))}
    </DocsLayout>
  );
}

function ToolSection({ site, tool }: { site: Site; tool: Tool }) {
  const result = resultSchema(tool);
  const [curl] = callsOf(tool, site.baseUrl);
  const { parameters = {} } = tool.example ?? {};
  const part = tool.files && partName(tool.files);
  return (
    <section class="operation stack" aria-labelledby={tool.name}>
      <div class="cluster apart">
        <h2 id={tool.name}>{tool.name}</h2>
        <a href={`/tools/${tool.name}`}>
          Its page<span class="hidden">: {tool.title}</span>
        </a>
      </div>
      <p class="prose">{tool.description}</p>
      <h3>Parameters</h3>
      <PropertyTable schema={parametersSchema(tool)} name={`Parameters of ${tool.name}`} />
      {part && (
        <p class="small soft">
          Attach the {part === 'files' ? 'files as parts named ' : 'file as a part named '}
          <code>{part}</code>.
        </p>
      )}
      <h3>Result</h3>
      {tool.produces && (
        <p>
          {result ? 'JSON, or a file' : 'A file'}: {tool.produces.join(', ')}.
        </p>
      )}
      {result && <PropertyTable schema={result} name={`Result of ${tool.name}`} />}
      <CodeBlock code={curl!.code} what={`the call of ${tool.name}`} />
      <RequestConsole
        id={`send-${tool.name}`}
        what={tool.name}
        operation={EXECUTE}
        body={{ tool: tool.name, parameters }}
        part={part}
      />
    </section>
  );
}
