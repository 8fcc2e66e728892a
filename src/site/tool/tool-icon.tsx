/** Renders the icon of a tool on a tile in the color of its kind. */
import type { Tool } from '../../core/define-tool.ts';
import { Icon } from '../design/icon.tsx';

export const ToolIcon = ({ tool: { icon, kind } }: { tool: Pick<Tool, 'icon' | 'kind'> }) => (
  <span class="tool-icon" data-kind={kind}>
    <Icon name={icon} />
  </span>
);
