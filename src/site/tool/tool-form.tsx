/** The form of a tool, derived from its definition. It works without scripts; client/tool-form.ts improves it. */
import type { Tool } from '../../core/define-tool.ts';
import { Message } from '../design/message.tsx';
import { type Field, fieldsOf } from './fields.ts';
import { FileField } from './file-field.tsx';
import { ParameterField } from './parameter-field.tsx';

/** The state of a form that is shown again: the entered values and the error. */
export interface Entered {
  values: Record<string, string>;
  /** The invalid field; absent if the message concerns no field. */
  param?: string;
  message?: string;
}

interface ToolFormProps {
  tool: Tool;
  entered: Entered | undefined;
  /** The remaining quota, if known. */
  left: string | undefined;
}

export function ToolForm({ tool, entered, left }: ToolFormProps) {
  const fields = fieldsOf(tool);
  const isAt = (name: string) => (entered?.param === name ? entered.message : undefined);
  const ofFiles = ['file', 'files', 'fileUrl', 'fileUrls'].map(isAt).find(Boolean);
  const isPlaced = ofFiles || fields.some(({ name }) => isAt(name));
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
      data-example={JSON.stringify(tool.example ?? {})}
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
            isBatch={tool.files.max === 1 && !tool.files.isStored}
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
        <button type="submit" class="main">
          {tool.shortName}
        </button>
        <button type="button" data-cancel hidden>
          Cancel
        </button>
      </div>
      <p class="small soft" id="left">
        {left || <a href={`/tools/${tool.name}/left`}>Show remaining quota</a>}
      </p>
    </form>
  );
}
