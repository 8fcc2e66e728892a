/**
 * Runs one `npm run admin` command against the state of the local service. With --remote, runs it against the deployed
 * service.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { parseAdminCommand, runAdminCommand, USAGE } from './admin-command.ts';
import { openAdminStores } from './admin-stores.ts';
import { machineAddresses, publicAddresses } from './operator-addresses.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

try {
  const command = parseAdminCommand(process.argv.slice(2));
  if (command.help) console.log(USAGE);
  else await run(command);
} catch (error) {
  const { message } = error as Error;
  const missing = /no such table/.test(message);
  console.error(
    missing ? 'The database is not set up. Start or deploy the service once.' : message,
  );
  process.exitCode = 1;
}

async function run(command: ReturnType<typeof parseAdminCommand>): Promise<void> {
  const { stores, close } = await openAdminStores(command.remote);
  try {
    const { name, remote, myAddresses } = command;
    const isRemoteBlock = remote !== null && name === 'block' && myAddresses.length === 0;
    const found = isRemoteBlock ? await publicAddresses(stores.config.baseUrl) : machineAddresses();
    const operating = {
      who: `shell:${userName()}`,
      addresses: [...found, ...myAddresses],
    };
    const lines = await runAdminCommand(command, stores, operating, Date.now());
    // User-supplied names may contain control characters, which a terminal would interpret.
    for (const line of lines) console.log(line.replace(/[^\P{C}\t]/gu, '\ufffd'));
  } finally {
    await close();
  }
}

/** Returns the user's name, or the numeric user ID if the user has no name, as in the service's image. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
