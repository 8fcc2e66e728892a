/** Parses a document for the tests: its front matter and its fenced code blocks (docs/content.md). */

export interface CodeBlock {
  /** The first word of the info string, such as `json` or `sh`. */
  language: string;
  /** The other words of the info string, which define the role of the block in the test. */
  words: string[];
  code: string;
  /** The line number of the opening fence, from 1. */
  line: number;
}

export interface WrittenDocument {
  frontMatter: Record<string, string>;
  body: string;
  blocks: CodeBlock[];
}

export function readDocument(markdown: string): WrittenDocument {
  const match = /^---\n([\s\S]*?)\n---\n/.exec(markdown);
  if (!match) throw new Error('the document does not begin with front matter');
  const entries = match[1]!.split('\n').map((line) => {
    const colon = line.indexOf(': ');
    if (colon < 1)
      throw new Error(
        `"${line}" is not a valid line of front matter: it must have the form "name: value"`,
      );
    const value = line.slice(colon + 2).trim();
    if (!/^"[^"\\]*"$/.test(value) && value.includes(': '))
      throw new Error(
        `"${line}" is not valid YAML: a value that contains a colon and a space needs quotes`,
      );
    return [line.slice(0, colon), value.replace(/^"(.*)"$/, '$1')] as const;
  });
  return {
    frontMatter: Object.fromEntries(entries),
    body: markdown.slice(match[0].length),
    blocks: blocksOf(markdown),
  };
}

function blocksOf(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: CodeBlock | undefined;
  const lines: string[] = [];
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (!fence) {
      if (open) lines.push(line);
    } else if (open) {
      blocks.push({ ...open, code: lines.splice(0).join('\n') });
      open = undefined;
    } else {
      const [language = '', ...words] = fence[1]!.trim().split(/\s+/);
      open = { language, words, code: '', line: index + 1 };
    }
  }
  if (open) throw new Error(`the code block of line ${open.line} is not closed`);
  return blocks;
}
