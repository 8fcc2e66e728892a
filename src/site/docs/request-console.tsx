/** Renders a form that sends a request from a page of the API reference. client/console.ts sends the request. */
import type { ReferenceRequest } from '../../core/reference.ts';
import { Described } from './described.tsx';

const ID = 'send';

export function RequestConsole({ request }: { request: ReferenceRequest }) {
  const { method, path, parameters, body, part } = request;
  return (
    <details class="console" data-js hidden>
      <summary>Send a request from this page</summary>
      <form class="card stack" data-method={method} data-path={path}>
        <div class="field">
          <label for="api-key">
            Your key <span class="hint">optional; not stored</span>
          </label>
          <input
            id="api-key"
            class="code"
            autocomplete="off"
            spellcheck={false}
            placeholder="tsk_…"
          />
        </div>
        {parameters.length > 0 && (
          <div class="fields">
            {parameters.map(({ name, in: location, description, schema }) => (
              <div class="field">
                <label for={`${ID}-${name}`}>
                  <code>{name}</code> <span class="hint">{location}</span>
                </label>
                <input
                  id={`${ID}-${name}`}
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
            <label for={`${ID}-body`}>Body, JSON</label>
            <textarea
              id={`${ID}-body`}
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
            <label for={`${ID}-file`}>
              Files{' '}
              <span class="hint">sent as {part}, with the body’s fields as further parts</span>
            </label>
            <input id={`${ID}-file`} type="file" multiple={part === 'files'} data-part={part} />
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
