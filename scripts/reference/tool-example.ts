/** Reads the first example of a tool's document, which test/content/documents.test.ts runs. */
import type { Tool } from '../../src/core/define-tool.ts';

interface ToolExample {
  parameters: Record<string, unknown>;
  /** The names of sample files. */
  files: string[];
  /** The response as JSON. Undefined if the document does not show JSON. */
  result?: unknown;
}

/** Returns the first example of a document. Throws an Error if the document has no example with a result. */
export function exampleOf({ name }: Tool, markdown: string): ToolExample {
  // After the split, every second element is a code block, which begins with its info string.
  const blocks = markdown
    .split(/^```/m)
    .filter((_, index) => index % 2 === 1)
    .map((block) => {
      const [fence = '', ...lines] = block.trimEnd().split('\n');
      const [language = '', ...words] = fence.split(' ');
      return { language, words, code: lines.join('\n') };
    });
  const isCall = ({ language, words, code }: (typeof blocks)[number]) =>
    (language === 'json' && words[0] === 'call') ||
    (language === 'sh' && code.includes('/api/v1/tools/execute') && code.includes(name));
  const index = blocks.findIndex(isCall);
  const [call, shown] = [blocks[index], blocks[index + 1]];
  if (!call || !shown) throw new Error(`The document for ${name} has no example with a result.`);
  const sent =
    call.language === 'json'
      ? { parameters: JSON.parse(call.code).parameters ?? {}, files: [] }
      : sentBy(call.code);
  return { ...sent, ...(shown.language === 'json' && { result: JSON.parse(shown.code) }) };
}

/** Extracts the parameters and files that the first curl command of an example sends. */
function sentBy(commands: string): Pick<ToolExample, 'parameters' | 'files'> {
  const words = wordsOf(commands);
  const values = (option: string) =>
    words.flatMap((word, index) => (word === option ? [words[index + 1]!] : []));
  const parts = values('-F').map((part) => part.split(/=(.*)/s));
  const files = parts
    .filter(([, value]) => value!.startsWith('@'))
    .map(([, value]) => value!.slice(1));
  const given = parts.find(([part]) => part === 'parameters')?.[1];
  const [body] = values('-d');
  const parameters = body ? JSON.parse(body).parameters : JSON.parse(given ?? '{}');
  return { parameters, files };
}

/** Returns the words of the first curl command, without quotes. */
function wordsOf(commands: string): string[] {
  const [, command = ''] = /(curl [\s\S]*)/.exec(commands.replaceAll('\\\n', ' ')) ?? [];
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)|\n/g)];
  const end = words.findIndex(([whole, , , plain]) => whole === '\n' || plain === '|');
  return words
    .slice(0, end < 0 ? undefined : end)
    .map(([, single, double, plain]) => single ?? double ?? plain!);
}
