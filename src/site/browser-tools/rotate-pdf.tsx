/** rotate_pdf: shows the pages of a PDF, with buttons that rotate one page or several. */
import type { Tool } from '../../core/define-tool.ts';
import { asset } from '../assets.ts';
import { Icon } from '../design/icon.tsx';
import { FileField } from '../tool/file-field.tsx';
import { ResultCard } from '../tool/result-card.tsx';

export function RotatePdf({ tool }: { tool: Tool }) {
  return (
    <div class="workbench">
      <form
        id="tool-form"
        class="card stack"
        data-worker={asset('rotate-pdf-worker.js')}
        data-samples={asset('sample-files.js')}
      >
        <h2 class="hidden">Input</h2>
        <FileField files={tool.files!} afterwards="The PDF stays in your browser." />
        <div class="stack" id="rotation" hidden>
          <div class="actions">
            <button type="button" data-rotate="-90" aria-label="Rotate left">
              <Icon name="rotate-ccw" /> Left
            </button>
            <button type="button" data-rotate="90" aria-label="Rotate right">
              <Icon name="rotate-cw" /> Right
            </button>
            <button type="button" data-rotate="180" aria-label="Rotate by 180°">
              180°
            </button>
          </div>
          <div class="field">
            <label for="pages">Pages</label>
            <input
              id="pages"
              placeholder="All"
              autocomplete="off"
              spellcheck={false}
              aria-describedby="pages-hint pages-error"
            />
            <span class="hint" id="pages-hint">
              Enter page numbers (such as 2-4, 7), or click the pages. Leave the field empty to
              rotate all pages.
            </span>
            <span class="error" id="pages-error" hidden />
          </div>
          <p class="hidden" role="status" id="rotated" />
        </div>
        <div class="actions">
          <button type="submit" class="main scripted" disabled>
            Create rotated PDF
          </button>
        </div>
      </form>
      <ResultCard tool={tool} isInBrowser />
    </div>
  );
}
