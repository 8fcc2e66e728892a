/** Shows a JSON result: in its tool's own view, or as a list of its fields. */

import { TEXT_FIELDS } from '../../../execute/feed.ts';
import { CodeBlock } from '../../design/code-block.tsx';
import { DiffTable } from './diff-table.tsx';
import { FieldList } from './field-list.tsx';
import { IconGrid } from './icon-grid.tsx';
import { JwtResult } from './jwt-result.tsx';
import { LinkResult } from './link-result.tsx';
import { RecordTable } from './record-table.tsx';
import type { ResultProps } from './result-props.ts';
import { TextResult } from './text-result.tsx';

export function JsonResult(props: ResultProps) {
  return (
    <>
      <View {...props} />
      <details>
        <summary>View JSON</summary>
        <CodeBlock code={jsonText(props.value)} what="the answer as JSON" wrap />
      </details>
    </>
  );
}

const MAX_JSON_CHARACTERS = 200_000;

function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  if (text.length <= MAX_JSON_CHARACTERS) return text;
  return `${text.slice(0, MAX_JSON_CHARACTERS)}\n… and ${text.length - MAX_JSON_CHARACTERS} characters more`;
}

function View(props: ResultProps) {
  const { tool, value } = props;
  switch (tool.name) {
    case 'calculate_percentage':
      return (
        <p class="big">
          {String(value.result)}
          {value.unit === 'percent' && ' %'}
        </p>
      );
    case 'compare_text':
      return <DiffTable {...props} />;
    case 'decode_jwt':
      return <JwtResult {...props} />;
    case 'generate_fake_data':
      return <RecordTable {...props} />;
    case 'generate_qr_code':
      return (
        <>
          <div class="qr-result">
            <img src={value.dataUrl} alt={`QR code of: ${value.text}`} />
          </div>
          <div class="actions">
            <a class="button main" href={value.dataUrl} download="qr-code.png">
              Save as PNG
            </a>
            <span class="soft small">
              {value.size} × {value.size} pixels
            </span>
          </div>
        </>
      );
    case 'format_json':
      return (
        <>
          <CodeBlock code={value.formatted} what="the formatted JSON" wrap />
          <details>
            <summary>In one line</summary>
            <CodeBlock code={value.minified} what="the minified JSON" wrap />
          </details>
        </>
      );
    case 'fetch_site_logo':
      return <IconGrid {...props} />;
    default:
  }
  if (typeof (value.shortUrl ?? value.url) === 'string' && !value.finalUrl) {
    return <LinkResult {...props} />;
  }
  const name = TEXT_FIELDS.find((field) => typeof value[field] === 'string');
  return name === undefined ? <FieldList value={value} /> : <TextResult {...props} name={name} />;
}
