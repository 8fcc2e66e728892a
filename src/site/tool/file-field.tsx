/**
 * Renders a field for files, which visitors drop, choose or paste. Several files can be reordered by dragging or with
 * buttons.
 */
import type { Child } from 'hono/jsx';
import { filesText } from '../../catalogue/limit-facts.ts';
import { type FileInput, partName } from '../../core/define-tool.ts';
import { asset } from '../assets.ts';
import { Message } from '../design/message.tsx';
import { fileNoun } from './file-noun.ts';

const ACCEPT: Record<string, string> = {
  pdf: 'application/pdf,.pdf',
  image: 'image/*,.heic,.heif',
};

export const STORED =
  'The file is stored for 7 days. Anyone with its link can open it. You can delete it earlier.';
export const deletedText = (isPlural: boolean) =>
  `Your ${isPlural ? 'files are' : 'file is'} deleted as soon as the result is ready. Only you see the result, unless you share a link.`;

interface FileFieldProps {
  files: FileInput;
  error?: string;
  /** The text that explains what happens to the files. The default text states that the service deletes them. */
  afterwards?: Child;
  /** Whether a tool for one file can run on several files, once for each file. */
  isBatch?: boolean;
  /** A sentence that explains how several files are processed. */
  batchText?: string;
}

/** The maximum number of files in a batch. It is similar to the hourly limits of most tools. */
const MAX_BATCH = 20;

export function FileField({
  files,
  error,
  afterwards = files.isStored ? STORED : deletedText(files.max > 1),
  isBatch = false,
  batchText = '',
}: FileFieldProps) {
  const several = files.max > 1;
  const { extensions } = files;
  const accept = extensions
    ? extensions.map((extension) => `.${extension}`)
    : files.kinds.map((kind) => ACCEPT[kind]).filter(Boolean);
  const isOpen = accept.length < files.kinds.length;
  return (
    <div
      class="field whole"
      data-files
      data-min={files.min}
      data-max={files.max}
      data-pages={several && `${files.kinds}` === 'pdf' ? asset('rotate-pdf-worker.js') : undefined}
      data-batch={isBatch ? MAX_BATCH : undefined}
      data-max-bytes={files.maxBytes}
      data-max-together={files.maxTotalBytes}
      data-kinds={isOpen || extensions ? undefined : files.kinds.join(' ')}
      data-extensions={extensions?.join(' ')}
      data-noun={isOpen ? undefined : fileNoun(files, false)}
      data-otherwise={files.otherwise}
    >
      <div class="drop stack tight">
        <span>
          <label for="files" class="button">
            Choose {fileNoun(files, several)}
          </label>
          <span class="for-mouse" data-js hidden>
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
          {filesText(files)}.
          {isBatch && (
            <span data-js hidden>
              {' '}
              Up to {MAX_BATCH} at once. {batchText}
            </span>
          )}
          <span class="for-mouse" data-js hidden>
            {' '}
            You can also paste.
          </span>
        </span>
        <span class="fine soft">
          <span data-afterwards>{afterwards}</span> <a href="/privacy">Privacy</a>
        </span>
      </div>
      <span class="error" id="files-error" hidden={!error}>
        <Message text={error ?? ''} />
      </span>
      <ul
        class="files stack tight"
        aria-label="Chosen files"
        data-sortable={several ? '' : undefined}
      />
      <p class="hidden" role="status" data-status />
    </div>
  );
}
