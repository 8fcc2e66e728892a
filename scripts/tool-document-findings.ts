/** Checks a tool's document against the format that docs/content.md describes. */
import { type CodeBlock, readDocument } from '../test/content/written-document.ts';

const SECTIONS = [
  'How to use it',
  'When to use it',
  'Parameters',
  'Examples',
  'Limits',
  'Errors',
  'When another tool is better',
];
const FIELDS = ['title', 'description', 'tags', 'publishedAt', 'updatedAt'];
/** The words in info strings that make the document test run or compare a code block. */
const SHOWN = ['call', 'output', 'result', 'shape', 'error'];

export function documentFindings(markdown: string, isExecutable: boolean): string[] {
  let parts: ReturnType<typeof readDocument>;
  try {
    parts = readDocument(markdown);
  } catch (error) {
    return [(error as Error).message];
  }
  const { frontMatter, body, blocks } = parts;
  const findings = FIELDS.filter((field) => !frontMatter[field]).map(
    (field) => `its front matter has no "${field}".`,
  );
  const contents = new Map(
    body
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [heading, ...lines] = section.split('\n');
        return [heading!, lines.join('\n').trim()];
      }),
  );
  for (const name of SECTIONS) {
    if (!contents.has(name)) findings.push(`the section "${name}" is missing.`);
    else if (contents.get(name) === '') findings.push(`the section "${name}" is empty.`);
  }
  if (
    [...contents.keys()].join() !== SECTIONS.join() &&
    SECTIONS.every((name) => contents.has(name))
  ) {
    findings.push(`its sections must be, in this order: ${SECTIONS.join(', ')}.`);
  }
  for (const marker of ['parameters', 'limits']) {
    if (!body.includes(`\n<!-- ${marker} -->\n`)) findings.push(`<!-- ${marker} --> is missing.`);
  }
  const examples = contents.get('Examples')?.match(/^### /gm)?.length ?? 0;
  if (examples < 3) findings.push(`it needs at least three examples (###), but has ${examples}.`);
  const shown = blocks.filter(({ words }: CodeBlock) => SHOWN.includes(words[0] ?? ''));
  if (isExecutable && shown.length < 3) {
    findings.push('it has fewer than three code blocks that the document test runs or compares.');
  }
  return findings;
}
