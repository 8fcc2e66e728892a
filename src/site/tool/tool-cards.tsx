/** Renders links to tools as cards. */
import type { Tool } from '../../core/define-tool.ts';
import { ToolIcon } from './tool-icon.tsx';

export const ToolCards = ({ tools }: { tools: readonly Tool[] }) => (
  <ul class="grid near">
    {tools.map((tool) => (
      <li>
        <a class="card" href={`/tools/${tool.name}`}>
          <ToolIcon tool={tool} />
          <strong>{tool.title}</strong>
        </a>
      </li>
    ))}
  </ul>
);
