/** An operation of the API reference: its parameters, its responses and a request form. */
import type { JsonSchema } from '../../catalogue/json-schema.ts';
import { Facts } from '../design/facts.tsx';
import { Described } from './described.tsx';
import type { Operation } from './operations.ts';
import { PropertyTable } from './property-table.tsx';
import { RequestConsole } from './request-console.tsx';

/** The initial request bodies. */
const BODIES: Record<string, unknown> = {
  executeTool: { tool: 'encode_base64', parameters: { text: 'Hello, world!' } },
  runChain: {
    toolChain: [
      { tool: 'encode_url', parameters: { url: 'a b' } },
      { tool: 'encode_base64', parameters: {} },
    ],
  },
  search: { query: 'merge two PDFs', topK: 3 },
  createUpload: { filename: 'photo.jpg' },
  callMcp: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  callMcpDomain: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
};

export function OperationSection({ operation }: { operation: Operation }) {
  const { id, method, path, summary, parameters, body, takesFiles, responses } = operation;
  const { result } = responses[0]!;
  return (
    <section class="operation stack" aria-labelledby={id}>
      <h2 id={id}>{summary}</h2>
      <p>
        <span class="chip accent">{method}</span> <code>{path}</code>
      </p>
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <PropertyTable schema={asSchema(operation)} name={`Parameters: ${summary}`} />
        </>
      )}
      {body?.properties && (
        <>
          <h3>Body</h3>
          <PropertyTable schema={body} name={`Body: ${summary}`} />
        </>
      )}
      {result?.properties && (
        <>
          <h3>Result</h3>
          <PropertyTable schema={result} name={`Result: ${summary}`} />
        </>
      )}
      <h3>Answers</h3>
      <Facts
        facts={responses.map(({ status, description }) => [
          String(status),
          <Described text={description} />,
        ])}
      />
      <RequestConsole
        id={`send-${id}`}
        what={summary}
        operation={operation}
        body={body && (BODIES[id] ?? {})}
        part={takesFiles ? 'files' : undefined}
      />
    </section>
  );
}

/** The parameters as an object schema. */
const asSchema = ({ parameters }: Operation): JsonSchema => ({
  properties: Object.fromEntries(
    parameters.map(({ name, in: location, description = '', schema }) => [
      name,
      { ...schema, description: `In the ${location}. ${description}` },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});
