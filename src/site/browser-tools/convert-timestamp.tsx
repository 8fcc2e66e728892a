/** convert_timestamp: converts a time in any notation to all of them. */

export function ConvertTimestamp() {
  return (
    <form id="form" class="workbench">
      <div class="card stack">
        <div class="field">
          <label for="value">Moment</label>
          <input
            id="value"
            class="code"
            autocomplete="off"
            spellcheck={false}
            aria-describedby="value-hint"
          />
          <span class="hint" id="value-hint">
            Unix time in s, ms, µs or ns, an ISO 8601 date such as 2026-11-21 09:30, or “now”.
          </span>
        </div>
        <div class="field">
          <label for="zone">Time zone</label>
          <input id="zone" list="zones" autocomplete="off" spellcheck={false} />
          <datalist id="zones" />
        </div>
        <div class="actions">
          <button type="button" id="now">
            Now
          </button>
        </div>
      </div>
      <section class="card stack" aria-labelledby="result-title">
        <h2 id="result-title" class="hidden">
          The time in all notations
        </h2>
        <dl class="facts moments" id="result" aria-live="polite" />
      </section>
    </form>
  );
}
