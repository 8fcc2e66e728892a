/** A result behind a link: shown where it is a picture or a film of ours, with its size, to be copied and opened. */
import { CodeBlock } from '../../design/code-block.tsx';
import { sizeText } from '../size-text.ts';
import type { ResultProps } from './json-result.tsx';

export function LinkResult({ tool, value, site }: ResultProps) {
  const url: string = value.shortUrl ?? value.screenshotUrl ?? value.url;
  // Another host's picture would be a request to a third party.
  const isOurs = url.startsWith(`${site.storageUrl}/files/`);
  const before: number | undefined = value.metadata?.inputBytes;
  return (
    <>
      {isOurs && /\.(webp|png|jpe?g|avif|gif)$/i.test(url) && (
        <div class="picture">
          <img
            src={url}
            alt={`The result of ${tool.name}`}
            width={value.width}
            height={value.height ?? undefined}
          />
        </div>
      )}
      {isOurs && /\.(mp4|webm|mov|mkv)$/i.test(url) && (
        <div class="picture">
          {/* biome-ignore lint/a11y/useMediaCaption: the person's own film, which has none */}
          <video src={url} controls />
        </div>
      )}
      <p class="sizes">
        {before !== undefined && <span class="soft">{sizeText(before)} →</span>}
        {typeof (value.size ?? value.bytes) === 'number' && (
          <strong>{sizeText(value.size ?? value.bytes)}</strong>
        )}
        {value.width && value.height && (
          <span class="soft">
            {value.width} × {value.height} pixels
          </span>
        )}
        {value.cached === true && <span class="chip">from the cache</span>}
      </p>
      <CodeBlock code={url} what="the link" wrap />
      <div class="actions">
        <a class="button main" href={url} rel="noreferrer">
          Open
        </a>
        <span class="small soft">{LIVES[tool.name] ?? 'The link lives 24 hours.'}</span>
      </div>
    </>
  );
}

const LIVES: Record<string, string> = {
  shorten_url: 'The link is permanent.',
  upload_file: 'The link lives 7 days.',
  screenshot_url: 'The same request is answered from the cache for 7 days.',
};
