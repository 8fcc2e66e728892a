/** Renders a link in a result, with buttons that copy and open it. Our own images and videos are embedded. */
import type * as z from 'zod';
import type { Tool } from '../../../core/define-tool.ts';
import { sizeText } from '../../../core/size-text.ts';
import { fileExpiry } from '../../../lib/file-id.ts';
import { CodeBlock } from '../../design/code-block.tsx';
import { momentText } from '../../developers/moments.tsx';
import type { ResultProps } from './result-props.ts';

export function LinkResult({ tool, value, site }: ResultProps) {
  const name = value.shortUrl === undefined ? 'url' : 'shortUrl';
  const url: string = value[name];
  // Only our own files are embedded, because an image from another host would cause a third-party request.
  const end = endOf(url, `${site.storageUrl}/files/`);
  const isOurs = end !== null;
  const before: number | undefined = value.inputBytes ?? value.metadata?.inputBytes;
  const size: number | undefined = value.size ?? value.bytes;
  return (
    <>
      <div class="actions">
        {isOurs && (
          <a class="button main" href={`${url}?download`}>
            Save {decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))}
          </a>
        )}
        <a
          class={isOurs ? 'button' : 'button main'}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
        >
          Open
        </a>
        <span class="small soft">
          {isOurs ? (
            <>Anyone with this link can open it until {momentText(end)} UTC.</>
          ) : (
            described(tool, name)
          )}
        </span>
      </div>
      <CodeBlock code={url} what="the link" wrap />
      {isOurs && /\.(webp|png|jpe?g|avif|gif)$/i.test(url) && (
        <div class="image">
          <img
            src={url}
            alt={`The result of ${tool.name}`}
            width={value.width}
            height={value.height ?? undefined}
          />
        </div>
      )}
      {isOurs && /\.(mp4|webm|mov|mkv)$/i.test(url) && (
        <div class="image">
          {/** biome-ignore lint/a11y/useMediaCaption: the visitor's own video, which has no captions */}
          <video src={url} controls />
        </div>
      )}
      <p class="sizes cluster">
        {before !== undefined && <span class="soft">{sizeText(before)} →</span>}
        {size !== undefined && <strong>{sizeText(size)}</strong>}
        {value.width && value.height && (
          <span class="soft">
            {value.width} × {value.height} pixels
          </span>
        )}
        {value.cached === true && <span class="chip">cached</span>}
      </p>
    </>
  );
}

/**
 * Returns the expiry of a stored file, which is encoded in the ID in its link (ADR 4). Returns null for any other link.
 */
const endOf = (url: string, location: string) =>
  url.startsWith(location) ? fileExpiry(url.slice(location.length).split('/', 1)[0]!) : null;

/** Returns the description of a result field from the tool's definition. */
const described = ({ output }: Tool, name: string) =>
  (output?.shape[name] as z.ZodType | undefined)?.description;
