/** Compares the duration of calls to the service with the duration of a program that does the same work. */
import { atMost, median, type Row } from './row.ts';

const ROUNDS = 5;

export interface MeasuredCall {
  tool: string;
  parameters: Record<string, unknown>;
  file: Uint8Array<ArrayBuffer>;
  name: string;
}

/** Runs the call and the other program alternately, and compares their median wall times. */
export async function compare(
  name: string,
  baseUrl: string,
  call: MeasuredCall,
  theirs: () => unknown,
  most: number,
): Promise<Row> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [key, work] of [
      ['ours', () => execute(baseUrl, call)],
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

async function execute(baseUrl: string, call: MeasuredCall): Promise<void> {
  const form = new FormData();
  form.append('tool', call.tool);
  form.append('parameters', JSON.stringify(call.parameters));
  form.append('file', new Blob([call.file]), call.name);
  const response = await fetch(`${baseUrl}/api/v1/tools/execute`, { method: 'POST', body: form });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}
