/**
 * Renders the form of a tool, derived from its definition. The form works without scripts, and client/tool-form.ts
 * improves it.
 */
import { ownRatesText } from '../../access/own-limits.ts';
import { isExecutable } from '../../catalogue/catalogue.ts';
import type { Tool } from '../../core/define-tool.ts';
import { asset, toolScript } from '../assets.ts';
import { Message } from '../design/message.tsx';
import { isBatch } from './batch.ts';
import { type Field, pageFieldsOf } from './fields.ts';
import { FileField } from './file-field.tsx';
import { ParameterField } from './parameter-field.tsx';

/** The state of a form that is shown again: the entered values and the error. */
export interface Entered {
  values: Record<string, string>;
  /** The invalid field. Undefined if the message does not concern a field. */
  param?: string;
  message?: string;
}

interface ToolFormProps {
  tool: Tool;
  entered: Entered | undefined;
  /** The remaining quota, if known. */
  left: string | undefined;
  /** Whether calls are counted. */
  isLimited: boolean;
  /** Whether the service lacks a component that the tool needs. If so, the form cannot be sent. */
  isOff: boolean;
}

export function ToolForm({ tool, entered, left, isLimited, isOff }: ToolFormProps) {
  const fields = pageFieldsOf(tool);
  const isAt = (name: string) => (entered?.param === name ? entered.message : undefined);
  const ofFiles = ['file', 'files', 'fileUrl', 'fileUrls'].map(isAt).find(Boolean);
  const isPlaced = ofFiles || fields.some(({ name }) => isAt(name));
  const script = toolScript(tool);
  const isRepeated = tool.files !== undefined && isBatch(tool.files);
  const isPreviewed = fields.some(({ control }) => control === 'image-quality');
  const hasSheets = fields.some(({ control }) => control === 'page-size');
  const advanced = fields.filter(({ isAdvanced }) => isAdvanced);
  const show = (field: Field) => (
    <ParameterField field={field} value={entered?.values[field.name]} error={isAt(field.name)} />
  );
  return (
    <form
      id="tool-form"
      class="card stack"
      method="post"
      action={`/tools/${tool.name}`}
      enctype="multipart/form-data"
      data-tool={tool.name}
      data-long={tool.isLong ? '' : undefined}
      data-example={JSON.stringify({ ...tool.example, result: undefined })}
      data-script={script}
      data-worker={script && asset('tool-worker.js')}
      data-samples={tool.example?.files && asset('sample-files.js')}
      data-preview={isPreviewed ? asset('preview-image.js') : undefined}
      data-preview-worker={isPreviewed ? asset('preview-image-worker.js') : undefined}
      data-sheets={hasSheets ? asset('image-sheets.js') : undefined}
      data-zip={isRepeated ? asset('zip-results.js') : undefined}
      data-first={script && !tool.annotations.idempotent ? '' : undefined}
    >
      <h2 class="hidden">Input</h2>
      <p class="notice bad" id="form-error" role="alert" hidden={!entered?.message || !!isPlaced}>
        <Message text={entered?.message ?? ''} />
      </p>
      <div class="fields">
        {tool.files && (
          <FileField
            files={tool.files}
            error={ofFiles}
            afterwards={script && 'The file stays in your browser.'}
            isBatch={isRepeated}
          />
        )}
        {fields.filter(({ isAdvanced }) => !isAdvanced).map(show)}
      </div>
      {advanced.length > 0 && (
        <details open={advanced.some(({ name }) => isAt(name))}>
          <summary>More options</summary>
          <div class="fields">{advanced.map(show)}</div>
        </details>
      )}
      <div class="actions">
        {script ? (
          <BrowserRunButton tool={tool} />
        ) : (
          <>
            <button type="submit" class="main" disabled={isOff}>
              {tool.shortName}
            </button>
            <button type="button" data-cancel hidden>
              Cancel
            </button>
          </>
        )}
      </div>
      {isRepeated && isLimited && <p class="small" id="runs" role="status" hidden />}
      {!script && !isOff && (
        <p class="small soft" id="left" data-own-rates={ownRatesText(tool) || undefined}>
          {left ? (
            <Message text={left} />
          ) : (
            <a href={`/tools/${tool.name}/left`}>Show remaining quota</a>
          )}
        </p>
      )}
    </form>
  );
}

/**
 * Renders the button of a tool that runs in the browser. It is disabled until the tool has loaded, so that the form is
 * not sent to the service. Without JavaScript, the service runs the tool if it can.
 */
function BrowserRunButton({ tool }: { tool: Tool }) {
  return (
    <>
      {isExecutable(tool) && (
        <noscript>
          <button type="submit" class="main">
            {tool.shortName}
          </button>
        </noscript>
      )}
      <button type="submit" class="main scripted" disabled>
        {tool.shortName}
      </button>
      {tool.annotations.idempotent && (
        <span class="small soft scripted">The result updates as you type.</span>
      )}
      {!tool.isSecret && (
        <button type="button" class="small scripted" data-link disabled>
          Copy link
        </button>
      )}
    </>
  );
}
