/** A result that is a text: to be read, copied, saved; markdown also as it looks. */
import { raw } from 'hono/html';
import { countCharacters } from '../../../lib/given-text.ts';
import { CodeBlock } from '../../design/code-block.tsx';
import { textHtml } from '../../markdown.ts';
import { FieldList } from './field-list.tsx';
import type { ResultProps } from './json-result.tsx';

const ENDINGS: Record<string, string> = { generate_sql: 'sql', generate_blog_outline: 'md' };

export function TextResult({ tool, value, text }: ResultProps & { text: string }) {
  const rest = Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== text && field !== undefined),
  );
  const filename = `${tool.name}.${ENDINGS[tool.name] ?? 'txt'}`;
  return (
    <>
      {tool.name === 'generate_blog_outline' && <div class="prose">{raw(textHtml(text, 2))}</div>}
      {text === '' ? (
        <p class="soft">The result is an empty text.</p>
      ) : (
        <CodeBlock code={text} what="the result" wrap />
      )}
      <div class="actions">
        <button type="button" class="small" data-save={filename} hidden>
          Save as {filename}
        </button>
        <span class="soft small">{countCharacters(text).toLocaleString('en')} characters</span>
      </div>
      {Object.keys(rest).length > 0 && <FieldList value={rest} />}
    </>
  );
}
