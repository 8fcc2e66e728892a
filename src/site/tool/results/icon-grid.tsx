/**
 * The candidates of fetch_site_logo, best first; shows only our own copies, because the others are on foreign hosts.
 */

import { sizeText } from '../size-text.ts';
import { FieldList } from './field-list.tsx';
import type { ResultProps } from './json-result.tsx';

interface Icon {
  url: string;
  source: string;
  width?: number;
  height?: number;
  format?: string;
  bytes?: number;
  rehostedUrl?: string;
  error?: string;
}

export function IconGrid({ value }: ResultProps) {
  const { icons, logo: _, ...page } = value;
  return (
    <>
      <ul class="icons">
        {(icons as Icon[]).map((icon) => (
          <li class="stack tight">
            {icon.rehostedUrl && <img src={icon.rehostedUrl} alt={`Icon from ${icon.source}`} />}
            <strong>{icon.source}</strong>
            <span class="soft">
              {icon.error ??
                [
                  icon.width && `${icon.width} × ${icon.height}`,
                  icon.format,
                  icon.bytes && sizeText(icon.bytes),
                ]
                  .filter(Boolean)
                  .join(', ')}
            </span>
            <a href={icon.rehostedUrl ?? icon.url} rel="noreferrer">
              {icon.rehostedUrl ? 'Open our copy' : 'Open the original'}
            </a>
          </li>
        ))}
      </ul>
      <FieldList value={page} />
    </>
  );
}
