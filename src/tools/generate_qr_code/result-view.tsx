/** Shows the QR code as an image that can be saved. */
export function resultView({
  dataUrl,
  text,
  size,
  svg,
}: {
  dataUrl: string;
  text: string;
  size: number;
  svg?: string;
}) {
  const format = svg === undefined ? 'png' : 'svg';
  return (
    <>
      <div class="qr-result">
        <img src={dataUrl} alt={`QR code of: ${text}`} />
      </div>
      <div class="actions">
        <a class="button main" href={dataUrl} download={`qr-code.${format}`}>
          Save as {format.toUpperCase()}
        </a>
        <span class="soft small">
          {size} × {size} pixels
        </span>
      </div>
    </>
  );
}
