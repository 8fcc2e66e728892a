/** Moves the focus on the chain page after a button replaced the steps. */
import { find } from './elements.ts';

const FIELD = 'input:not([type="hidden"]), select, textarea';

const stepCards = () => document.querySelectorAll<HTMLElement>('.step');

const idOf = (card: HTMLElement): string => find<HTMLInputElement>(card, '[name$="-id"]').value;

export const stepIds = (): string[] => [...stepCards()].map(idOf);

/**
 * Moves the focus to the element that the visitor needs next after an action.
 *
 * @param before the IDs of the steps before the action
 */
export function focusAfter(action: string, before: readonly string[]): void {
  const position = positionAfter(action, before);
  (position ?? document.getElementById('add'))?.focus({ preventScroll: true });
  const isRun = action === 'run';
  // The whole card of a new step is scrolled into view, because its first field may be collapsed.
  (isRun ? position : position?.closest('.step'))?.scrollIntoView({
    block: isRun ? 'start' : 'nearest',
  });
}

/** Returns the first visible field of a step, or the summary of its options if it has none. */
function firstIn(card: HTMLElement | undefined): HTMLElement | null | undefined {
  const fields = [...(card?.querySelectorAll<HTMLElement>(FIELD) ?? [])];
  return fields.find((field) => field.checkVisibility()) ?? card?.querySelector('summary');
}

function positionAfter(action: string, before: readonly string[]): HTMLElement | null | undefined {
  const [verb, from, to] = action.split(' ');
  const cards = [...stepCards()];
  switch (verb) {
    case 'add':
      // If the chain is empty, adding a tool for files also adds an upload step before the tool.
      return firstIn(cards.findLast((card) => !before.includes(idOf(card))));
    case 'set':
    case 'first':
      return firstIn(cards[Number(from)]);
    case 'upload':
    case 'clear':
    case 'show':
      return cards[0]?.querySelector<HTMLElement>(FIELD);
    case 'remove':
      return document.getElementById('add');
    case 'run':
      return (
        document.querySelector<HTMLElement>('[aria-invalid], #form-error:not([hidden])') ??
        document.querySelector<HTMLElement>('[data-misfit]') ??
        document.getElementById('chain-result') ??
        [...document.querySelectorAll<HTMLElement>('.step .output:has(.good, .bad)')].at(-1)
      );
    case 'up':
    case 'down':
    case 'move': {
      const index = { up: Number(from) - 1, down: Number(from) + 1, move: Number(to) }[verb];
      const card = cards[index];
      return (
        card?.querySelector<HTMLElement>(`[value^="${verb}"]:enabled`) ??
        card?.querySelector<HTMLElement>('.moves button:enabled')
      );
    }
    default:
      return undefined;
  }
}
