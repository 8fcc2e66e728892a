/** Lists the programs other than curl that the commands in a text need. */

const PROGRAM =
  /(?:^|[|;(&]) {0,3}(jq|qpdf|pdfinfo|pdftotext|pdftoppm|pdfimages|ffmpeg|ffprobe|unzip|zbarimg)\b/gm;
const names = new Intl.ListFormat('en', { type: 'conjunction' });

/** Returns a paragraph that names the programs, or an empty string if there are none. */
export function programsNote(markdown: string): string {
  const blocks = `\n${markdown}`.split('\n```').filter((block) => block.startsWith('sh\n'));
  const found = blocks.flatMap((block) => [...block.matchAll(PROGRAM)].map(([, name]) => name!));
  if (found.length === 0) return '';
  const programs = [...new Set(found)].map((name) => `<code>${name}</code>`);
  return `<p class="soft">Besides curl, the commands need ${names.format(programs)}.</p>`;
}
