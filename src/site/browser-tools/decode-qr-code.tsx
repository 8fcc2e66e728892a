/** decode_qr_code: reads the text of the QR codes in an image. */

import { decodeQrCode } from '../../tools/decode_qr_code/decode_qr_code.ts';
import { asset } from '../assets.ts';
import { FileField } from '../tool/file-field.tsx';

export function DecodeQrCode() {
  return (
    <form id="form" class="workbench" data-samples={asset('sample-files.js')}>
      <div class="card stack">
        <FileField files={decodeQrCode.files!} afterwards="The image stays in your browser." />
        <div class="image" id="preview" hidden />
      </div>
      <section class="card stack result" id="result" aria-labelledby="result-title">
        <h2 id="result-title" class="hidden">
          Text of the code
        </h2>
        <div class="waiting">
          <p>The decoded text appears here.</p>
          <button type="button" data-sample data-js hidden>
            Try it with a sample
          </button>
        </div>
        <div class="output stack" id="output" role="status" />
      </section>
    </form>
  );
}
