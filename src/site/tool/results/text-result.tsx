/** Renders a text result, which visitors can read, copy and save. Markdown is also shown rendered. */
import { raw } from 'hono/html';
import type * as z from 'zod';
import type { Tool } from '../../../core/define-tool.ts';
import { countCharacters } from '../../../tools/given-text.ts';
import { CodeBlock } from '../../design/code-block.tsx';
import { FieldList } from './field-list.tsx';
import { PAGE_MARK } from './page-mark.ts';
import type { ResultProps } from './result-props.ts';

/** Fields that only programs need. People can find them in the JSON. */
const FOR_PROGRAMS = ['provider', 'cached'];

const MARKDOWN = 'text/markdown';
const YAML = 'application/yaml';
/** Maps the media types in tool definitions to file extensions. */
const ENDINGS: Record<string, string> = {
  'application/json': 'json',
  'application/sql': 'sql',
  [MARKDOWN]: 'md',
  [YAML]: 'yaml',
};

export async function TextResult({ tool, value, name }: ResultProps & { name: string }) {
  const text: string = value[name];
  const rest = Object.fromEntries(
    Object.entries(value)
      .filter(([field, chosen]) => ![name, ...FOR_PROGRAMS].includes(field) && chosen !== undefined)
      .map(([field, chosen]) => [field, nameOf(tool, field, chosen) ?? chosen]),
  );
  const type = (tool.output?.shape[name] as z.ZodType | undefined)?.meta()?.contentMediaType;
  // The Markdown renderer is loaded on demand, because most results are not Markdown.
  const html =
    type === MARKDOWN ? (await import('../../markdown.ts')).textHtml(text, 2) : undefined;
  // JSON is also valid YAML.
  const ending = type === YAML && isJson(text) ? 'json' : (ENDINGS[String(type)] ?? 'txt');
  const filename = `${tool.name}.${ending}`;
  return (
    <>
      <div class="actions">
        <button type="button" class="main" data-save={filename} hidden>
          Save as {filename}
        </button>
        {tool.files && name === 'text' && (
          <button type="button" data-original hidden>
            Compare with the original
          </button>
        )}
        <span class="soft small">{lengthText(countCharacters(text))}</span>
      </div>
      {html !== undefined && <div class="prose">{raw(html)}</div>}
      {text === '' ? (
        <p class="soft">{tool.files ? 'No text was found in the file.' : 'The result is empty.'}</p>
      ) : (
        <CodeBlock code={<MarkedPages text={text} />} what="the result" wrap />
      )}
      {Object.keys(rest).length > 0 && <FieldList value={rest} />}
    </>
  );
}

/** Renders a text with space around the lines between its pages. */
const MarkedPages = ({ text }: { text: string }) => (
  <>
    {text
      .split(PAGE_MARK)
      .map((part, index) =>
        index % 2 === 1 ? <span class="page-mark">--- Page {part} ---</span> : part,
      )}
  </>
);

const lengthText = (characters: number): string =>
  characters === 1 ? '1 character' : `${characters.toLocaleString('en')} characters`;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the form's label for a chosen value or list of values. Returns undefined if the form has no label for it. */
const nameOf = ({ form }: Tool, field: string, chosen: unknown) =>
  form?.[field]?.choices?.[[chosen].flat().join('\n')];
