/** Shows a decoded image, which can be saved. Decoded text needs no special view. */
import type { ViewParts } from '../../core/result-view.ts';

interface Decoded {
  decoded?: string;
  dataUrl?: string;
  /** The format of the image, such as `png`. */
  format?: string;
  /** The size of the image in bytes. */
  size?: number;
}

export function resultView({ dataUrl, format = '', size = 0 }: Decoded, { sizeText }: ViewParts) {
  if (dataUrl === undefined) return null;
  const filename = `decoded.${format === 'jpeg' ? 'jpg' : format}`;
  return (
    <>
      <div class="image">
        <img src={dataUrl} alt="Decoded from the Base64" />
      </div>
      <div class="actions">
        <a class="button main" href={dataUrl} download={filename}>
          Save as {filename}
        </a>
        <span class="soft small">
          {format.toUpperCase()}, {sizeText(size)}
        </span>
      </div>
    </>
  );
}
