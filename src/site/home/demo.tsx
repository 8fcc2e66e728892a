/** A live example on the home page: generates a QR code from the entered text. */
import type { Site } from '../site.ts';

export function Demo({ site, qrDataUrl }: { site: Site; qrDataUrl: string }) {
  return (
    <section class="card stack" aria-labelledby="demo-title">
      <h2 id="demo-title" class="label">
        Try one: generate_qr_code
      </h2>
      <form
        id="tool-form"
        class="demo"
        method="post"
        action="/tools/generate_qr_code"
        enctype="multipart/form-data"
        data-tool="generate_qr_code"
      >
        <div class="stack">
          <div class="field">
            <label for="p-text">Text or URL</label>
            <input
              id="p-text"
              name="text"
              data-type="text"
              value={site.baseUrl}
              required
              autocomplete="off"
              aria-describedby="p-text-error"
            />
            <span class="error" id="p-text-error" hidden />
          </div>
          <p class="notice bad small" id="form-error" role="alert" hidden />
          <div class="actions">
            <button type="submit" class="main">
              Generate the QR code
            </button>
          </div>
        </div>
        <div class="qr" id="result" data-plain>
          <h3 class="hidden" id="result-title" tabindex={-1}>
            The QR code
          </h3>
          <div class="output">
            <img src={qrDataUrl} alt={`QR code of: ${site.baseUrl}`} width="160" height="160" />
          </div>
        </div>
      </form>
    </section>
  );
}
