/** The form of a tool, derived from its definition. It works without scripts; client/tool-form.ts improves it. */
import type { Tool } from '../../core/define-tool.ts';
import { Message } from '../design/message.tsx';
import { fieldsOf } from './fields.ts';
import { FileField } from './file-field.tsx';
import { ParameterField } from './parameter-field.tsx';

/** The state of a form that is shown again: the entered values and the error. */
export interface Entered {
  values: Record<string, string>;
  /** The invalid field; absent if the message concerns no field. */
  param?: string;
  message?: string;
}

export function ToolForm({ tool, entered }: { tool: Tool; entered: Entered | undefined }) {
  const { parameters } = tool.example ?? {};
  const fields = fieldsOf(tool);
  const isAt = (name: string) => (entered?.param === name ? entered.message : undefined);
  const ofFiles = ['file', 'files', 'fileUrl', 'fileUrls'].map(isAt).find(Boolean);
  const isPlaced = ofFiles || fields.some(({ name }) => isAt(name));
  return (
    <form
      id="tool-form"
      class="card stack"
      method="post"
      action={`/tools/${tool.name}`}
      enctype="multipart/form-data"
      data-tool={tool.name}
      data-long={tool.isLong ? '' : undefined}
      data-example={parameters && !tool.files ? JSON.stringify(parameters) : undefined}
    >
      <h2 class="hidden">Input</h2>
      <p class="notice bad" id="form-error" role="alert" hidden={!entered?.message || !!isPlaced}>
        <Message text={entered?.message ?? ''} />
      </p>
      <div class="fields">
        {tool.files && <FileField files={tool.files} error={ofFiles} />}
        {fields.map((field) => (
          <ParameterField
            field={field}
            value={entered?.values[field.name]}
            error={isAt(field.name)}
          />
        ))}
      </div>
      <div class="actions">
        <button type="submit" class="main">
          {tool.shortName}
        </button>
        <button type="button" data-cancel hidden>
          Cancel
        </button>
        {parameters && !tool.files && (
          <button type="button" class="quiet" data-fill data-js hidden>
            Fill in an example
          </button>
        )}
      </div>
    </form>
  );
}
