/** The effect of the chain page's buttons on its steps. */
import { isChainable, MOST_STEPS } from '../../execute/chain-steps.ts';
import { findTool } from '../../tools/find-tool.ts';
import { type Hop, newHop } from './hops.ts';

interface Change {
  hops: Hop[];
  /** What was done, for screen readers. */
  said: string;
}

/** An example that shows both kinds of feeding: by a result's main text, and by a reference to one of its fields. */
const EXAMPLE: [tool: string, parameters: Record<string, unknown>][] = [
  ['decode_base64', { encoded: 'eyJzc2lkIjoiQ2Fmw6kiLCJwYXNzd29yZCI6ImVzcHJlc3NvIn0=' }],
  ['format_json', { indent: 4 }],
  ['generate_qr_code', { text: '{{prev.minified}}', size: 400 }],
];

/**
 * `what` is a button's value: `add`, `example`, `up 2`, `down 2`, `remove 2`, `move 2 0`; other values change nothing.
 */
export function changeHops(hops: readonly Hop[], what: string, added: string): Change {
  const [verb = '', first, second] = what.split(' ');
  const from = Number(first);
  const title = hops[from]?.tool.title;
  switch (verb) {
    case 'add':
      return add(hops, added);
    case 'example':
      return {
        hops: EXAMPLE.map(([name, parameters]) => newHop(findTool(name)!, parameters)),
        said: 'The example was filled in.',
      };
    case 'remove':
      if (title === undefined) break;
      return { hops: hops.toSpliced(from, 1), said: `${title} was removed.` };
    case 'up':
      return move(hops, from, from - 1);
    case 'down':
      return move(hops, from, from + 1);
    case 'move':
      return move(hops, from, Number(second));
  }
  return { hops: [...hops], said: '' };
}

function add(hops: readonly Hop[], name: string): Change {
  const tool = findTool(name);
  if (!tool || !isChainable(tool) || hops.length >= MOST_STEPS)
    return { hops: [...hops], said: '' };
  // The first step has no previous result to fill it.
  const parameters = hops.length === 0 && !tool.files ? tool.example?.parameters : undefined;
  return {
    hops: [...hops, newHop(tool, parameters)],
    said: `${tool.title} is step ${hops.length + 1}.`,
  };
}

function move(hops: readonly Hop[], from: number, to: number): Change {
  const hop = hops[from];
  if (!hop || !hops[to]) return { hops: [...hops], said: '' };
  return {
    hops: hops.toSpliced(from, 1).toSpliced(to, 0, hop),
    said: `${hop.tool.title} is now step ${to + 1} of ${hops.length}.`,
  };
}
