/** Lists documents as cards. */
import type { ListedDocument } from '../../core/content.ts';

export function DocumentCards({ documents }: { documents: readonly ListedDocument[] }) {
  return (
    <ul class="grid">
      {documents.map(({ path, title, description }) => (
        <li>
          <a class="card" href={path}>
            <strong>
              {title.replace(/^How to /, '').replace(/^./, (first) => first.toUpperCase())}
            </strong>
            <span class="small soft">{description}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
