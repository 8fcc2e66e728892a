/** A field for files: dropped, chosen or pasted; several can be reordered by dragging or with buttons. */
import { type FileInput, type FileKind, partName } from '../../core/define-tool.ts';
import { MB } from '../../core/limits.ts';

const ACCEPT: Record<string, string> = {
  pdf: 'application/pdf,.pdf',
  image: 'image/*,.heic,.heif',
};

const NOUNS: Record<FileKind, [string, string]> = {
  pdf: ['a PDF', 'PDFs'],
  image: ['an image', 'images'],
  any: ['a file', 'files'],
};

const STORED = 'The file is stored for 7 days, and anyone with its link can open it.';
const DELETED =
  'The file is deleted after the call. A result with a link is stored for 24 hours, and anyone with the link can open it.';

interface FileFieldProps {
  files: FileInput;
  error?: string;
  /** What happens to the files. By default what the service does. */
  afterwards?: string;
}

export function FileField({
  files,
  error,
  afterwards = files.isStored ? STORED : DELETED,
}: FileFieldProps) {
  const several = files.max > 1;
  const nouns = files.kinds.map((kind) => NOUNS[kind][several ? 1 : 0]).join(' or ');
  const accept = files.kinds.map((kind) => ACCEPT[kind]).filter(Boolean);
  const isOpen = accept.length < files.kinds.length;
  const most = `${files.maxBytes / MB} MB`;
  const each = files.maxTotalBytes === files.maxBytes ? 'together' : 'each';
  const bounds = several
    ? `${files.min} to ${files.max} files, ${most} ${each}`
    : `At most ${most}`;
  return (
    <div
      class="field whole"
      data-files
      data-min={files.min}
      data-max={files.max}
      data-max-bytes={files.maxBytes}
      data-max-together={files.maxTotalBytes}
    >
      <div class="drop">
        <span>
          <label for="files">Choose {nouns}</label>
          <span data-js hidden>
            {' '}
            or drop {several ? 'them' : 'it'} here
          </span>
        </span>
        <input
          id="files"
          type="file"
          name={partName(files)}
          multiple={several}
          accept={isOpen ? undefined : accept.join(',')}
          aria-describedby="files-hint files-error"
          aria-invalid={error ? 'true' : undefined}
        />
        <span class="hint" id="files-hint">
          {bounds}.
          <span data-js hidden>
            {' '}
            You can also paste.
          </span>
        </span>
        <span class="fine soft">
          {afterwards} <a href="/privacy">Privacy</a>
        </span>
      </div>
      <ul class="files" aria-label="Chosen files" data-sortable={several ? '' : undefined} />
      <p class="hidden" role="status" data-said />
      <span class="error" id="files-error" hidden={!error}>
        {error}
      </span>
    </div>
  );
}
