/**
 * Renders a JSON result on a page. It uses the tool's own view if there is one, and otherwise shows a link, a text or a
 * list of the fields.
 */

import type { Tool } from '../../../core/define-tool.ts';
import type { ViewParts } from '../../../core/result-view.ts';
import { sizeText } from '../../../core/size-text.ts';
import { TEXT_FIELDS } from '../../../execute/feed.ts';
import { CodeBlock } from '../../design/code-block.tsx';
import { Table } from '../../design/table.tsx';
import { CopyList } from './copy-list.tsx';
import { FieldList } from './field-list.tsx';
import { LinkResult } from './link-result.tsx';
import type { ResultProps } from './result-props.ts';
import { TextResult } from './text-result.tsx';

export function JsonResult(props: ResultProps) {
  return (
    <>
      <View {...props} />
      {isCallable(props.tool) && (
        <details>
          <summary>View JSON</summary>
          <CodeBlock code={jsonText(props.value)} what="the result as JSON" wrap />
        </details>
      )}
    </>
  );
}

const MAX_JSON_CHARACTERS = 200_000;

function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  if (text.length <= MAX_JSON_CHARACTERS) return text;
  return `${text.slice(0, MAX_JSON_CHARACTERS)}\n… and ${text.length - MAX_JSON_CHARACTERS} characters more`;
}

/** Whether programs can call the tool. If not, its results are only for visitors to the tool's page. */
const isCallable = ({ surfaces }: Tool): boolean => surfaces.length > 0;

const PARTS: ViewParts = { CodeBlock, CopyList, FieldList, Table, sizeText };

async function View(props: ResultProps) {
  const { tool, value, parameters } = props;
  const own = await tool.resultView?.();
  const shown = own?.resultView(value as never, PARTS, parameters as never);
  if (shown) return <>{shown}</>;
  if (typeof (value.shortUrl ?? value.url) === 'string' && !value.finalUrl) {
    return <LinkResult {...props} />;
  }
  const name = TEXT_FIELDS.find((field) => typeof value[field] === 'string');
  if (name !== undefined) return <TextResult {...props} name={name} />;
  return isCallable(tool) ? <FieldList value={value} /> : <CopyList values={value} />;
}
