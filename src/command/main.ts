/** The entry point of the `tools` command. */
import { runCommand } from './run-command.ts';
import { cannotWrite } from './write-result.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  // Exits without a message if the reader of a pipe, such as `head`, has exited.
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`tools: ${cannotWrite('stdout', error).message}\n`);
  process.exit(2);
});
process.exitCode = await runCommand(process.argv.slice(2), interruption.signal);
