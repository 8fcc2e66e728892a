/** Brings the deployed database's documents to the state of the repository; `npm start` does so at home. */
import { parseArgs } from 'node:util';
import { ingest } from './ingest/ingest.ts';
import { remoteTarget } from './ingest/remote-target.ts';
import { readDocuments } from './ingest/sources.ts';

const USAGE = `npm run ingest            checks every document, and says how many there are
npm run ingest -- --remote   writes them into the deployed database; run it after each deployment`;

try {
  const { values } = parseArgs({
    options: { remote: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) console.log(USAGE);
  else await run(values.remote === true);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function run(remote: boolean): Promise<void> {
  const documents = readDocuments();
  console.log(`${documents.length} documents are well-formed.`);
  if (!remote) {
    console.log('npm start takes them in; with --remote they go into the deployed database.');
    return;
  }
  const { changed, version } = await ingest(documents, remoteTarget(), Date.now());
  console.log(changed ? `Version ${version} answers now.` : 'They are what answers already.');
}
