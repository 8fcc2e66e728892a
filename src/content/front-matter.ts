/** Front matter: the lines between two `---` at the start of a Markdown file, as `name: value` and lists. */

export interface FrontMatter {
  fields: Record<string, string | string[]>;
  body: string;
}

/** A part of YAML: strings, quoted or not, and lists of them, `[a, b]` or one `- item` a line. */
export function readFrontMatter(text: string): FrontMatter {
  const match = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { fields: {}, body: text.trim() };
  const fields: FrontMatter['fields'] = {};
  let list: string[] | undefined;
  for (const line of match[1]!.split(/\r?\n/)) {
    const item = /^\s*-\s(.*)$/.exec(line)?.[1];
    if (item !== undefined && list) {
      list.push(unquoted(item));
      continue;
    }
    const [, name, value = ''] = /^(\w+):(.*)$/.exec(line) ?? [];
    if (name === undefined) {
      if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
      throw new Error(`front matter has a line that is neither "name: value" nor a list: ${line}`);
    }
    list = value.trim() === '' ? [] : undefined;
    fields[name] = list ?? readValue(value);
  }
  return { fields, body: text.slice(match[0].length).trim() };
}

function readValue(value: string): string | string[] {
  const inner = /^\[(.*)\]$/.exec(value.trim())?.[1];
  if (inner === undefined) return unquoted(value);
  return inner
    .split(',')
    .map(unquoted)
    .filter((item) => item !== '');
}

function unquoted(value: string): string {
  const text = value.trim();
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(text);
  // Another reader of YAML would find a comment, or a comma inside quotes, which this one does not know.
  if (!quoted && /\s#|^["'#]|^\S*["']$/.test(text)) {
    throw new Error(`front matter has a value that must be quoted as a whole: ${value}`);
  }
  return quoted ? (quoted[1] ?? quoted[2] ?? '') : text;
}
