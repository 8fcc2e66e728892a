/** A request that can be sent from the page of the API reference; client/console.ts sends it. */
import { Described } from './described.tsx';
import type { Operation } from './operations.ts';

interface RequestConsoleProps {
  /** The prefix of its field ids. */
  id: string;
  /** For the button's label. */
  what: string;
  operation: Pick<Operation, 'method' | 'path' | 'parameters'>;
  /** The initial JSON body. */
  body?: unknown;
  /** The name of the file part; the body's fields then become parts too. */
  part?: string;
}

export function RequestConsole({ id, what, operation, body, part }: RequestConsoleProps) {
  const { method, path, parameters } = operation;
  return (
    <details class="console" data-js hidden>
      <summary>
        Send this request<span class="hidden"> ({what})</span>
      </summary>
      <form class="card stack" data-method={method} data-path={path}>
        {parameters.length > 0 && (
          <div class="fields">
            {parameters.map(({ name, in: location, description, schema }) => (
              <div class="field">
                <label for={`${id}-${name}`}>
                  <code>{name}</code> <span class="hint">{location}</span>
                </label>
                <input
                  id={`${id}-${name}`}
                  name={name}
                  data-in={location}
                  required={location === 'path'}
                  placeholder={schema?.enum ? String((schema.enum as string[])[0]) : undefined}
                  autocomplete="off"
                  spellcheck={false}
                />
                {description && (
                  <span class="hint">
                    <Described text={description} />
                  </span>
                )}
              </div>
            ))}
          </div>
        )}
        {body !== undefined && (
          <div class="field">
            <label for={`${id}-body`}>Body, JSON</label>
            <textarea
              id={`${id}-body`}
              name="body"
              class="code"
              rows={Math.min(12, JSON.stringify(body, null, 2).split('\n').length + 1)}
              spellcheck={false}
            >
              {JSON.stringify(body, null, 2)}
            </textarea>
          </div>
        )}
        {part && (
          <div class="field">
            <label for={`${id}-file`}>
              Files{' '}
              <span class="hint">sent as {part}, with the body’s fields as further parts</span>
            </label>
            <input id={`${id}-file`} type="file" multiple={part === 'files'} data-part={part} />
            <span class="hint">
              <a href="/privacy">How long files are stored</a>
            </span>
          </div>
        )}
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
