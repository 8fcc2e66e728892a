/** hash_text: a text and its digest. */

/** The digest of the empty text, which the page shows first. */
const OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const ALGORITHMS = ['SHA-256', 'SHA-384', 'SHA-512', 'SHA-1'];

export function HashText() {
  return (
    <form id="form" class="workbench">
      <div class="card stack">
        <div class="field">
          <label for="text">Text</label>
          <textarea id="text" name="text" class="code" rows={7} spellcheck={false} autofocus />
        </div>
        <div class="field">
          <label for="algorithm">Algorithm</label>
          <select id="algorithm" name="algorithm">
            {ALGORITHMS.map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </div>
      </div>
      <div class="card stack">
        <h2 class="label">Digest, hexadecimal</h2>
        <div class="codeblock">
          <pre class="wrap">
            <output id="digest" for="text algorithm" aria-live="polite" aria-label="Digest">
              {OF_NOTHING}
            </output>
          </pre>
          <button type="button" class="small" data-copy="digest" aria-label="Copy: the digest">
            Copy
          </button>
        </div>
      </div>
    </form>
  );
}
