/** The effect of the chain page's buttons on its steps. */
import { isChainable, MOST_STEPS } from '../../execute/chain-steps.ts';
import { findTool } from '../../tools/find-tool.ts';
import { newStep, type Step } from './steps.ts';

interface Change {
  steps: Step[];
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
export function changeSteps(steps: readonly Step[], what: string, added: string): Change {
  const [verb = '', first, second] = what.split(' ');
  const from = Number(first);
  const title = steps[from]?.tool.title;
  switch (verb) {
    case 'add':
      return add(steps, added);
    case 'example':
      return {
        steps: EXAMPLE.map(([name, parameters]) => newStep(findTool(name)!, parameters)),
        said: 'The example was filled in.',
      };
    case 'remove':
      if (title === undefined) break;
      return { steps: steps.toSpliced(from, 1), said: `${title} was removed.` };
    case 'up':
      return move(steps, from, from - 1);
    case 'down':
      return move(steps, from, from + 1);
    case 'move':
      return move(steps, from, Number(second));
  }
  return { steps: [...steps], said: '' };
}

function add(steps: readonly Step[], name: string): Change {
  const tool = findTool(name);
  if (!tool || !isChainable(tool) || steps.length >= MOST_STEPS)
    return { steps: [...steps], said: '' };
  // The first step has no previous result to fill it.
  const parameters = steps.length === 0 && !tool.files ? tool.example?.parameters : undefined;
  return {
    steps: [...steps, newStep(tool, parameters)],
    said: `${tool.title} is step ${steps.length + 1}.`,
  };
}

function move(steps: readonly Step[], from: number, to: number): Change {
  const step = steps[from];
  if (!step || !steps[to]) return { steps: [...steps], said: '' };
  return {
    steps: steps.toSpliced(from, 1).toSpliced(to, 0, step),
    said: `${step.tool.title} is now step ${to + 1} of ${steps.length}.`,
  };
}
