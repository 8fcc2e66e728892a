/** The worker's log: one JSON object per line on standard output. */

export interface LogEntry {
  event: string;
  level?: 'error';
  [field: string]: unknown;
}

export const log = (entry: LogEntry): void => {
  process.stdout.write(`${JSON.stringify(entry)}\n`);
};
