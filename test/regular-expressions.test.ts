/**
 * Checks that no regular expression runs in super-linear time. Every literal is checked, even one whose input is
 * trusted, because its input may change later.
 */
import { describe, expect, it } from 'vitest';
import { regexpsOf, sourcesIn } from './support/regexp-literals.ts';
import { faultsOf } from './support/super-linear.ts';

/** Linear literals that a rule reports by mistake, each with the reason. */
const LINEAR_ANYWAY: Record<string, string> = {
  'src/tools/clean-answer.ts /^[ \\t]*(`{3,}|~{3,})([^\\n]*)$/gm':
    'At the end of a line `[^\\n]*$` always matches, so nothing is tried again.',
  'containers/media/operations/pdf/line-hyphens.ts /(?<![\\p{L}-])\\p{L}*-[\\p{L}-]*/gu':
    'The lookbehind lets it begin only once in a word.',
};

/**
 * Files that create regular expressions at run time. The value is `checked`, or the reason why a check is not needed.
 */
const BUILDERS: Record<string, 'checked' | string> = {
  'src/tools/clean-answer.ts': 'checked',
  'src/tools/generate_sql/sql-statement.ts':
    'It reads the answer of a model, which is cut at 500 tokens.',
  'src/site/browser-tools/test-regex.tsx': 'Its pattern and its text are constants.',
  'src/site/client/test-regex-worker.ts':
    "It runs a visitor's own pattern over the visitor's own text, in a worker of the visitor's browser.",
  'scripts/browser-watch.ts': 'Names and text of /proc; the kernel writes both.',
  'containers/media/pdf/fonts/type1-font.ts':
    'Keys of a font from a constant list, then a bounded class and its end.',
  'containers/media/filter-lists.ts':
    'Its patterns come with @duckduckgo/autoconsent; it applies them to the address of a page.',
};

const sources = ['src', 'containers', 'scripts'].flatMap(sourcesIn);
const found = sources.map((path) => ({ path, ...regexpsOf(path) }));
const nameOf = (path: string, source: string, flags: string) => `${path} /${source}/${flags}`;

describe('the rules for regular expressions', () => {
  it.each([
    // Regular expressions that have frozen real services.
    [
      /;\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^";]*))\s*(?=;|$)/gs,
      'adjacent [^";]* \\s*',
    ],
    [/charset\s*=\s*["']?\s*([^\s"';,>/]+)/i, 'adjacent \\s* \\s*'],
    [/\/+$/, 'restart \\/+'],
    [/\s+$/, 'restart \\s+'],
    [/(?:a+)b?(?:c|a*)d/, 'adjacent a+ a*'],
    [/charset=(.+)$/, 'restart .+'],
    [/<word [^>]*>/, 'restart [^>]*'],
    [/^\s+x/m, 'restart \\s+'],
    [/\[([^\]]*)\]\(/, 'restart [^\\]]*'],
  ])('report %s', (regexp, fault) => {
    expect(faultsOf(regexp.source, regexp.flags)).toContain(fault);
  });

  it('report nested quantifiers', () => {
    expect(faultsOf('(?:a+)+b', '')).not.toEqual([]);
    expect(faultsOf('(?:a|a)*b', '')).not.toEqual([]);
  });

  it.each([
    /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i,
    /^[ \t]+x/m,
    /<word [^<>]*>/,
    /\b\w+;/,
    /\d{1,9}(?:\.\d{1,9})+/,
    /a[^b]*/,
    /\{\{([^{}]{1,300})\}\}/g,
  ])('accept %s', (regexp) => {
    expect(faultsOf(regexp.source, regexp.flags)).toEqual([]);
  });
});

describe('the regular expressions of the sources', () => {
  it('are linear', () => {
    const literals = found.flatMap((file) => file.literals);
    expect(literals.length).toBeGreaterThan(300);
    const faulty = literals.flatMap(({ path, source, flags }) => {
      const faults = faultsOf(source, flags);
      return faults.length > 0 ? [[nameOf(path, source, flags), faults] as const] : [];
    });
    const known = Object.keys(LINEAR_ANYWAY);
    expect(faulty.filter(([name]) => !known.includes(name))).toEqual([]);
    // An exemption that is no longer needed must be removed.
    expect(known.filter((name) => !faulty.some(([faultyName]) => faultyName === name))).toEqual([]);
  });

  it('are built at run time only in listed files', () => {
    const builders = found.filter(({ calls }) => calls.length > 0).map(({ path }) => path);
    expect(builders.sort()).toEqual(Object.keys(BUILDERS).sort());
  });

  it.each(Object.keys(BUILDERS).filter((path) => BUILDERS[path] === 'checked'))(
    'are linear as built by %s',
    async (path) => {
      const built = await builtBy(path);
      const calls = found.find((file) => file.path === path)!.calls;
      expect(built.length).toBeGreaterThanOrEqual(calls.length);
      const faulty = built.map(({ source, flags }) => [source, faultsOf(source, flags)] as const);
      expect(faulty.filter(([, faults]) => faults.length > 0)).toEqual([]);
    },
  );
});

/** Returns the regular expressions that a module creates while it is loaded. */
async function builtBy(path: string): Promise<RegExp[]> {
  const built: RegExp[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct(target, given) {
      const regexp = Reflect.construct(target, given) as RegExp;
      if (new Error().stack?.includes(path)) built.push(regexp);
      return regexp;
    },
  });
  try {
    // The query makes Node load the module again, because another test file in the same worker may have loaded it
    // already.
    await import(/* @vite-ignore */ `../${path}?anew`);
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}
