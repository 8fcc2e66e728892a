/** Renders an icon in the color of the text around it. */
import { raw } from 'hono/html';
import { ICONS } from '../assets.ts';

export const Icon = ({ name, size = 20 }: { name: string; size?: number }) => (
  <svg class="line-icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    {raw(ICONS[name] ?? '')}
  </svg>
);
