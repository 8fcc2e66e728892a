/**
 * Compares two images with the same aspect ratio. They are overlaid with a divider that the visitor drags or moves with a
 * slider.
 */
import { make } from './elements.ts';

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
  return [box, make('div', { className: 'range small soft' }, 'Before', slider, 'After')];
}

/** Whether two images have the same aspect ratio, so that they can be overlaid. */
export const isSameShape = (one: HTMLImageElement, other: HTMLImageElement): boolean =>
  Math.abs(one.naturalWidth / one.naturalHeight - other.naturalWidth / other.naturalHeight) < 0.01;
