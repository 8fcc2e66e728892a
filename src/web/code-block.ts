/** Writes code as Markdown. */

/** Matches the classes with which highlighters, GitHub and Sphinx name the language of a code block. */
const LANGUAGE =
  /(?:^|\s)(?:(?:lang|language|highlight-source)-([a-z][\w+#]{0,19})(?=\s|$)|highlight-([a-z][\w+#]{0,19}) notranslate)/i;
const NOT_LANGUAGES = /^(?:default|none|plain|text)$/i;

/** Returns the language that the classes of an element name. */
export function codeLanguage(classes = ''): string | undefined {
  const [, named, ofSphinx] = LANGUAGE.exec(classes) ?? [];
  const name = named ?? ofSphinx;
  return name && !NOT_LANGUAGES.test(name) ? name.toLowerCase() : undefined;
}

/** Returns the code as a fenced code block. */
export function fenced(code: string, language = ''): string {
  const text = code.replace(/^\n/, '').trimEnd();
  const fence = text.includes('```') ? '~~~~' : '```';
  return `${fence}${language}\n${text}\n${fence}`;
}
