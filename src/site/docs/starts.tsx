/** Renders cards that link to the developer documentation. */
import { Icon } from '../design/icon.tsx';

const STARTS = [
  {
    path: '/docs/api',
    icon: 'book-open',
    name: 'API reference',
    text: 'Every endpoint',
    kind: 'files',
  },
  {
    path: '/docs/mcp',
    icon: 'bot',
    name: 'AI agents',
    text: 'Setup for MCP clients',
    kind: 'writing',
  },
  {
    path: '/how-to/use-the-command-and-the-client',
    icon: 'terminal',
    name: 'Command line and client',
    text: 'For shells and TypeScript, built from the source code',
    kind: 'text',
  },
  {
    path: '/docs/chains',
    icon: 'workflow',
    name: 'Chains and jobs',
    text: 'Several tools, long work',
    kind: 'media',
  },
];

export const Starts = () => (
  <ul class="grid starts">
    {STARTS.map(({ path, icon, name, text, kind }) => (
      <li>
        <a class="card" href={path}>
          <span class="tool-icon" data-kind={kind}>
            <Icon name={icon} />
          </span>
          <span>
            <strong>{name}</strong>
            <span class="small soft">{text}</span>
          </span>
        </a>
      </li>
    ))}
  </ul>
);
