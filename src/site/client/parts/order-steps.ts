/** Lets the visitor order the steps of a chain by dragging. */

let dragged: HTMLElement | undefined;

/** @param onMove receives the index of the dragged step and the index of the step on which it was dropped */
export function orderByDragging(onMove: (from: string, to: string) => void): void {
  document.addEventListener('dragstart', (event) => {
    if (!(event.target instanceof Element && event.target.closest('[data-drag]'))) return;
    dragged = stepAt(event)!;
    event.dataTransfer!.setData('text/plain', '');
    event.dataTransfer!.effectAllowed = 'move';
    event.dataTransfer!.setDragImage(dragged, 20, 20);
    dragged.classList.add('dragged');
  });
  document.addEventListener('dragover', (event) => {
    const step = stepAt(event);
    clearTarget();
    if (!dragged || !step) return;
    event.preventDefault();
    step.classList.add('target');
  });
  document.addEventListener('drop', (event) => {
    const step = stepAt(event);
    if (!dragged || !step) return;
    event.preventDefault();
    if (step !== dragged) onMove(dragged.dataset.step!, step.dataset.step!);
  });
  document.addEventListener('dragend', () => {
    dragged?.classList.remove('dragged');
    dragged = undefined;
    clearTarget();
  });
}

const stepAt = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.step') : null;

function clearTarget(): void {
  for (const each of document.querySelectorAll('.step.target')) each.classList.remove('target');
}
