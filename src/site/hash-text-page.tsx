/** The page of hash_text, which runs in the browser: nothing that is typed leaves it. */

const ALGORITHMS = ['SHA-256', 'SHA-384', 'SHA-512', 'SHA-1'];

export function HashTextPage({ serviceName }: { serviceName: string }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Hash text · {serviceName}</title>
        <meta name="description" content="SHA-256 and its relatives, computed in your browser." />
        <link rel="icon" href="data:," />
        <style>{STYLE}</style>
        <script type="module" src="/assets/hash-text.js" />
      </head>
      <body>
        <main>
          <h1>Hash text</h1>
          <p>
            The digest of a text in UTF-8, computed in this page. Nothing you type is sent anywhere.
          </p>
          <form id="form">
            <label for="text">Text</label>
            <textarea id="text" name="text" rows={6} spellcheck={false} autofocus />
            <label for="algorithm">Algorithm</label>
            <select id="algorithm" name="algorithm">
              {ALGORITHMS.map((name) => (
                <option value={name}>{name}</option>
              ))}
            </select>
            <label for="digest">Digest, hexadecimal</label>
            <output id="digest" for="text algorithm" aria-live="polite" />
            <p id="problem" role="alert" hidden />
            <noscript>
              <p>This tool runs in the browser, and scripts are switched off.</p>
            </noscript>
            <button type="button" id="copy">
              Copy
            </button>
          </form>
        </main>
      </body>
    </html>
  );
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
label { display: block; font-weight: 600; margin: 1.25rem 0 .25rem; }
textarea, select, button { font: inherit; padding: .5rem .75rem; border: 1px solid GrayText; border-radius: .375rem; box-sizing: border-box; }
textarea { width: 100%; resize: vertical; font-family: ui-monospace, monospace; }
output { display: block; min-height: 3rem; padding: .5rem .75rem; border-radius: .375rem; background: color-mix(in srgb, CanvasText 7%, Canvas); font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
button { margin-top: 1rem; cursor: pointer; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 1px; }
`;
