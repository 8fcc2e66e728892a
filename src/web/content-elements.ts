/** The HTML elements that affect how the main content is extracted. */

export const VOID = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);
export const MARKS: Record<string, string> = { strong: '**', b: '**', em: '*', i: '*', code: '`' };
export const HEADING = /^h([1-6])$/;
/** Matches the label of a link from a heading to itself. */
export const PERMALINK = /^(?:[¶§#]|🔗)$/u;
/** The elements whose class may name the language of a code block. */
export const CODE_ELEMENTS = new Set(['div', 'pre']);
/** The elements that begin and end a block of text. */
export const BLOCKS = new Set(
  'p div section article main header form fieldset li dt dd figcaption figure blockquote pre h1 h2 h3 h4 h5 h6 td th tr table ul ol dl body address details summary'.split(
    ' ',
  ),
);
