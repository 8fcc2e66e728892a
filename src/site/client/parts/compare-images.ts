/**
 * Compares two images with the same aspect ratio. They are overlaid with a divider that the visitor drags or moves with
 * a slider.
 */
import { make } from './elements.ts';

/** The result can be enlarged to its actual size if its width in pixels exceeds this. */
const SHOWN_WIDTH = 512;

/** Returns the elements of the comparison: the images, and the slider for the keyboard. */
export function compareImages(before: HTMLImageElement, after: HTMLImageElement): Node[] {
  before.className = 'before';
  for (const image of [before, after]) image.draggable = false;
  const compare = make('div', { className: 'compare' }, after, before);
  const slider = make('input', {
    type: 'range',
    min: '0',
    max: '100',
    step: 'any',
    value: '50',
    ariaLabel: 'How much of the original to show',
  });
  const show = () => compare.style.setProperty('--split', `${slider.value}%`);
  slider.addEventListener('input', show);
  const follow = ({ clientX }: PointerEvent) => {
    const { left, width } = compare.getBoundingClientRect();
    slider.valueAsNumber = ((clientX - left) / width) * 100;
    show();
  };
  compare.addEventListener('pointerdown', (event) => {
    compare.setPointerCapture(event.pointerId);
    follow(event);
  });
  compare.addEventListener('pointermove', (event) => {
    if (compare.hasPointerCapture(event.pointerId)) follow(event);
  });
  const box = make('div', { className: 'image' }, compare);
  const range = make('div', { className: 'range small soft' }, 'Before', slider, 'After');
  return [box, range, ...(after.naturalWidth > SHOWN_WIDTH ? [zoomLine(box, compare, after)] : [])];
}

/**
 * Returns a line with the button that shows the result at its actual size, one image pixel per screen pixel, in a
 * scrollable box.
 */
function zoomLine(box: HTMLElement, compare: HTMLElement, { naturalWidth }: HTMLImageElement) {
  const button = make('button', { type: 'button', className: 'small', ariaPressed: 'false' });
  button.textContent = 'Actual size';
  button.addEventListener('click', () => {
    const isActual = box.classList.toggle('actual');
    button.ariaPressed = String(isActual);
    compare.style.width = isActual ? `${naturalWidth / devicePixelRatio}px` : '';
    box.tabIndex = isActual ? 0 : -1;
    box.role = isActual ? 'group' : null;
    box.ariaLabel = isActual ? 'The images at their actual size' : null;
    box.scrollTo(
      (box.scrollWidth - box.clientWidth) / 2,
      (box.scrollHeight - box.clientHeight) / 2,
    );
  });
  return make('div', { className: 'actions zoom' }, button);
}

/** Whether two images have the same aspect ratio, so that they can be overlaid. */
export const isSameShape = (one: HTMLImageElement, other: HTMLImageElement): boolean =>
  Math.abs(one.naturalWidth / one.naturalHeight - other.naturalWidth / other.naturalHeight) < 0.01;
