/** Compares the duration of calls to the service with the duration of a program that does the same work. */
import { atMost, median, type Row } from './row.ts';

/** Runs the two functions alternately, and compares their median wall times. */
export async function compare(
  name: string,
  ours: () => unknown,
  theirs: () => unknown,
  most: number,
  rounds = 5,
): Promise<Row> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [key, work] of [
      ['ours', ours],
      ['theirs', theirs],
    ] as const) {
      const started = performance.now();
      await work();
      // The first round is a warm-up.
      if (round > 0) times[key].push(performance.now() - started);
    }
  }
  return atMost(name, median(times.ours), median(times.theirs), most, 'ms');
}

/** Sends one execute call as multipart/form-data, and returns the response body. */
export async function execute(
  baseUrl: string,
  parts: [string, string | Blob, string?][],
): Promise<Buffer> {
  const form = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  const response = await fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body: form });
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}
