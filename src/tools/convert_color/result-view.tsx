/** Shows a swatch of the color, and its notations. */
import type { ViewParts } from '../../core/result-view.ts';

export const resultView = (value: Record<string, unknown>, { CopyList }: ViewParts) => (
  <>
    <svg class="color" role="img" aria-label={`The color ${value.Hex}`}>
      <rect width="100%" height="100%" fill={String(value.Hex)} />
    </svg>
    <CopyList values={value} />
  </>
);
