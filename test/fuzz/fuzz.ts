/**
 * Implements `npm run fuzz`. Sends generated inputs to parsers and to a running service, and reports exceeded limits
 * and invalid responses.
 */
import { parseArgs } from 'node:util';
import { CALLS } from './calls.ts';
import { campaign, type Extent, type Finding, shown } from './campaign.ts';
import { editedText } from './edited-text.ts';
import { FuzzedService } from './fuzzed-service.ts';
import { ParserRunner } from './parser-runner.ts';
import { PARSERS } from './parsers.ts';
import { seedFiles } from './seed-files.ts';

const USAGE = `npm run fuzz -- [TARGET] [SECONDS] [--seed N] [--path P] [--corpus FOLDER]

TARGET   parsers, service, or one of: ${[...Object.keys(PARSERS), ...Object.keys(CALLS)].join(' ')}
SECONDS  the time for each target; the default is 60
--seed   the first seed; the same seed generates the same inputs
--path   repeats one input of the seed; each finding prints its path
--corpus a folder with more files for the targets "forms" and "files"`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    path: { type: 'string' },
    corpus: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const [target = 'all', seconds = '60'] = positionals;
const among = (group: string, names: readonly string[]) =>
  names.filter((name) => ['all', group, name].includes(target));
const parsers = among('parsers', Object.keys(PARSERS));
const calls = among('service', Object.keys(CALLS));
if (values.help || parsers.length + calls.length === 0) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 1);
}
const extent: Extent = {
  seed: Number(values.seed ?? Date.now() % 1e6),
  runs: values.path === undefined ? Number.MAX_SAFE_INTEGER : 1,
  seconds: Number(seconds),
  path: values.path,
  goesOn: true,
};
const found: Finding[] = [];
const report = (name: string, { runs, findings }: { runs: number; findings: Finding[] }) => {
  console.log(
    `${findings.length === 0 ? 'ok    ' : 'FAILED'} ${name}: ${runs} inputs, seed ${extent.seed}`,
  );
  for (const finding of findings) console.log(shown(finding));
  found.push(...findings);
};

if (parsers.length > 0) {
  await using runner = new ParserRunner();
  for (const name of parsers) {
    const check = (text: string) => runner.check(name, text);
    report(name, await campaign(name, editedText(PARSERS[name]!), check, extent));
  }
}
if (calls.length > 0) {
  const files = await seedFiles(values.corpus);
  for (const name of calls) {
    // Each target gets a separate service, so that its memory and disk usage can be measured.
    await using service = await FuzzedService.open();
    const check = (call: Parameters<typeof service.check>[0]) => service.check(call);
    report(name, await campaign(name, CALLS[name]!(files), check, extent));
  }
}
process.exitCode = found.length > 0 ? 1 : 0;
