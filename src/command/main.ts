/** The command `tools`. */
import { runCommand } from './run-command.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
// The reader of a pipe, such as head, may exit first.
process.stdout.once('error', () => process.exit());
process.exitCode = await runCommand(process.argv.slice(2), interruption.signal);
