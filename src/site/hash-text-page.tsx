/** The page of hash_text, which runs in the browser: nothing that is typed leaves it. */
import { Layout } from './layout.tsx';

const ALGORITHMS = ['SHA-256', 'SHA-384', 'SHA-512', 'SHA-1'];

export function HashTextPage({ serviceName }: { serviceName: string }) {
  return (
    <Layout
      title={`Hash text · ${serviceName}`}
      description="SHA-256 and its relatives, computed in your browser."
      script="/assets/hash-text.js"
    >
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
    </Layout>
  );
}
