/** Runs a service whose tools read hostile pages, while a second caller makes ordinary calls. */
import { cpuSecondsOf } from '../fuzz/process-tree.ts';
import { bytesOf, FAMILIES, hostilePage } from './hostile-pages.ts';
import type { Answer } from './upstream.ts';
import { openWebService, type Ran, type WebService } from './web-service.ts';
import { forgetPeak, peakOf, residentOf, workerdOf } from './workerd-process.ts';

const HOST = 'page.test';
/**
 * The size of a page's content in characters. It leaves space for the tags around the content, so that the page stays
 * below the size limit.
 */
const SIZE = 5 * 2 ** 20 - 20_000;

export interface Attack {
  tool: 'fetch_page_metadata' | 'fetch_site_logo';
  path: string;
}

export interface Attacked {
  answers: Ran[];
  /** The peak of workerd's resident memory during the attack minus the memory before it, in MB. */
  memory: number;
  /** The CPU seconds of workerd. They reveal a freeze even on a busy machine. */
  cpuSeconds: number;
  /** The status of each call that the second caller made during the attack. */
  others: number[];
}

export const pathOf = (family: string): string =>
  `/${Object.keys(FAMILIES).indexOf(family).toString()}`;

export interface HostileSite {
  service: WebService;
  /** Runs all attacks concurrently. */
  attack(attacks: readonly Attack[]): Promise<Attacked>;
  close(): Promise<void>;
}

/** Serves a page of each family at its path, and the additional pages in `more`. */
export async function openHostileSite(more: Record<string, Answer | string>): Promise<HostileSite> {
  const pages = Object.keys(FAMILIES).map((family): [string, Answer] => [
    pathOf(family),
    (_, response) => {
      const { contentType, text } = hostilePage(family, SIZE);
      response.writeHead(200, { 'Content-Type': contentType });
      response.end(bytesOf(text).subarray(0, 5 * 2 ** 20));
    },
  ]);
  const service = await openWebService([HOST], { ...Object.fromEntries(pages), ...more });
  const workerd = workerdOf(service.child.pid!);
  return {
    service,
    async attack(attacks) {
      const before = residentOf(workerd);
      forgetPeak(workerd);
      const cpuBefore = cpuSecondsOf(workerd);
      let isOver = false;
      const attacked = Promise.all(
        attacks.map(({ tool, path }) => service.run(tool, { url: `http://${HOST}${path}` })),
      ).finally(() => {
        isOver = true;
      });
      const others: number[] = [];
      while (!isOver) {
        others.push((await service.run('encode_base64', { text: 'second caller' })).status);
      }
      return {
        answers: await attacked,
        memory: peakOf(workerd) - before,
        cpuSeconds: cpuSecondsOf(workerd) - cpuBefore,
        others,
      };
    },
    close: () => service.close(),
  };
}
