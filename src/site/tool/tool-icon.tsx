/** The icon of a tool, drawn in the colour of the text around it. */
import type { Tool } from '../../core/define-tool.ts';

export function ToolIcon({ tool }: { tool: Tool }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={tool.icon} />
    </svg>
  );
}
