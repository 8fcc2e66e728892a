/** Fails if an identifier or a file name contains a British spelling or a nonstandard term. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** Each rejected word, with the term to use instead. */
const TERMS = new Map([
  ['ask', 'request'],
  ['asked', 'requested'],
  ['asks', 'requests'],
  ['behaviour', 'behavior'],
  ['borrow', 'acquire'],
  ['centre', 'center'],
  ['cheap', 'a term for the cost'],
  ['colour', 'color'],
  ['colours', 'colors'],
  ['corridor', 'pipeline'],
  ['dear', 'expensive'],
  ['door', 'surface'],
  ['doors', 'surfaces'],
  ['film', 'video'],
  ['gate', 'admission'],
  ['grey', 'gray'],
  ['greyscale', 'grayscale'],
  ['house', 'project'],
  ['judge', 'check'],
  ['judged', 'checked'],
  ['kept', 'cached or stored'],
  ['lend', 'lease'],
  ['licence', 'license'],
  ['licences', 'licenses'],
  ['likeness', 'similarity'],
  ['loan', 'lease'],
  ['picture', 'image'],
  ['pictures', 'images'],
  ['place', 'slot, position or location'],
  ['places', 'slots, positions or locations'],
  ['room', 'module or budget'],
  ['rooms', 'modules'],
  ['standing', 'remaining quota'],
  ['turn', 'lock or round'],
  ['want', 'charge'],
  ['wants', 'charges'],
]);

/** Matches names of limits that must begin with MAX_ or MIN_ instead. */
const OTHER_LIMIT = /^(?:MOST|LEAST|MAXIMUM|MINIMUM)(?:_|$)/;

const wordsOf = (name: string) =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]{1,40}(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

const problems = new Set<string>();
const check = (name: string, where: string) => {
  for (const word of wordsOf(name)) {
    const term = TERMS.get(word);
    if (term) problems.add(`${where}: "${name}" contains "${word}": use ${term}`);
  }
  if (OTHER_LIMIT.test(name)) problems.add(`${where}: "${name}": use MAX_ or MIN_`);
};

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(ts|mts|mjs|tsx|css)$/.test(path) && existsSync(path));
for (const path of files) {
  check(basename(path), path);
  if (path.endsWith('.css')) continue;
  const { program } = parseSync(path, readFileSync(path, 'utf8'));
  const visit = ({ name }: { name: string }) => check(name, path);
  new Visitor({ Identifier: visit, PrivateIdentifier: visit }).visit(program);
}
for (const problem of problems) console.error(problem);
process.exit(problems.size > 0 ? 1 : 0);
