/**
 * Shows the icons of a site, best first. Only our own copies are shown, because other hosts must not learn who views
 * the icons.
 */
import type { ViewParts } from '../../core/result-view.ts';

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

export function resultView(
  { icons, logo: _, ...page }: { icons: Icon[]; logo?: Icon | undefined },
  { FieldList, sizeText }: ViewParts,
) {
  return (
    <>
      <ul class="icons">
        {icons.map((icon) => (
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
