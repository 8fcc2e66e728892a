/**
 * Renders a form that sends a request from a page of the API reference. client/console.ts sends the request and shows
 * it in the code samples.
 */
import type { ReferenceRequest, RequestParameter } from '../../core/reference.ts';
import { RequestControl } from './request-control.tsx';

const ID = 'send';

export function RequestConsole({ request }: { request: ReferenceRequest }) {
  const { method, path, parameters, fields, body, part, example, file } = request;
  return (
    <details class="console" data-js hidden>
      <summary class="button main">Try it</summary>
      <form
        class="card stack"
        data-method={method}
        data-path={path}
        data-example={JSON.stringify(example)}
        data-file={file && JSON.stringify(file)}
        autocomplete="off"
      >
        <Parameters parameters={parameters.filter((parameter) => parameter.in !== 'header')} />
        {part && (
          <div class="field">
            <label for={`${ID}-file`}>
              {part === 'files' ? 'Files' : 'File'}{' '}
              <span class="hint">
                in the part <code>{part}</code>
              </span>
            </label>
            <input id={`${ID}-file`} type="file" multiple={part === 'files'} data-part={part} />
            <span class="hint">
              <a href="/privacy">How long files are stored</a>
            </span>
          </div>
        )}
        {fields.length > 0 && (
          <div class="fields">
            {fields.map((field) => (
              <RequestControl
                id={`field-${field.name}`}
                field={field}
                value={(body as Record<string, unknown> | undefined)?.[field.name]}
                data={{ 'data-field': field.name }}
              />
            ))}
          </div>
        )}
        {body !== undefined && <JsonBody body={body} isFolded={fields.length > 0} />}
        <Parameters parameters={parameters.filter((parameter) => parameter.in === 'header')} />
        <div class="field">
          <label for="api-key">
            Your key <span class="hint">optional; not stored</span>
          </label>
          <input id="api-key" class="code" spellcheck={false} placeholder="tsk_…" />
        </div>
        <div class="actions">
          <button type="submit" class="main" disabled>
            Send
          </button>
          <button type="button" data-cancel hidden>
            Cancel
          </button>
        </div>
        <div class="answer stack tight" role="status" />
      </form>
    </details>
  );
}

/** An example value in uppercase letters is a placeholder, which the visitor replaces. */
const isPlaceholder = (example: string): boolean => /^[A-Z_]+$/.test(example);

const Parameters = ({ parameters }: { parameters: readonly RequestParameter[] }) =>
  parameters.length > 0 && (
    <div class="fields">
      {parameters.map((parameter) => (
        <Parameter parameter={parameter} />
      ))}
    </div>
  );

function Parameter({ parameter }: { parameter: RequestParameter }) {
  const { name, in: location, example } = parameter;
  const isShown = example !== undefined && isPlaceholder(example);
  return (
    <RequestControl
      id={`${ID}-${name}`}
      field={{ ...parameter, type: location }}
      value={isShown ? undefined : example}
      placeholder={isShown ? example : undefined}
      data={{ 'data-in': location, 'data-name': name, 'data-example': example ?? '' }}
    />
  );
}

/** Renders the body as JSON, which the script keeps in sync with the fields. */
function JsonBody({ body, isFolded }: { body: unknown; isFolded: boolean }) {
  const id = `${ID}-body`;
  const json = JSON.stringify(body, null, 2);
  const area = (
    <>
      <textarea
        id={id}
        name="body"
        class="code"
        rows={Math.min(12, json.split('\n').length + 1)}
        spellcheck={false}
        aria-label={isFolded ? 'Body, JSON' : undefined}
        aria-describedby={`${id}-error`}
      >
        {json}
      </textarea>
      <span class="error" id={`${id}-error`} hidden />
    </>
  );
  if (!isFolded)
    return (
      <div class="field">
        <label for={id}>Body, JSON</label>
        {area}
      </div>
    );
  return (
    <details>
      <summary class="small">Edit as JSON</summary>
      <div class="field">{area}</div>
    </details>
  );
}
