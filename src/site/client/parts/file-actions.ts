/** Creates the buttons for a resulting file: save, open, copy, share a link, and send to another tool. */
import type { NextTool } from '../../tool/next-tool.ts';
import { make } from './elements.ts';
import { sendMenu } from './send-file.ts';
import { shareParts } from './share-link.ts';

/** Returns the buttons, with Save first. If the file can be shared, a box for its link follows. */
export function fileActions(
  file: File,
  url: string,
  nextTools: readonly NextTool[],
  isShareable: boolean,
): [HTMLElement, ...Node[]] {
  const { name, type } = file;
  const row = make(
    'div',
    { className: 'actions' },
    make('a', { className: 'button main', href: url, download: name, textContent: `Save ${name}` }),
  );
  if (/^(image\/|video\/|application\/pdf)/.test(type)) {
    const target = { target: '_blank', rel: 'noopener' };
    row.append(make('a', { className: 'button', href: url, ...target, textContent: 'Open' }));
  }
  if (type.startsWith('image/') && 'ClipboardItem' in globalThis) row.append(copyButton(file));
  const [share, shared] = isShareable ? shareParts(file) : [];
  const menu = sendMenu([file], nextTools);
  row.append(...[share, menu].filter((part) => part != null));
  return shared ? [row, shared] : [row];
}

function copyButton(file: Blob): HTMLElement {
  const button = make('button', { type: 'button', textContent: 'Copy image' });
  button.addEventListener('click', async () => {
    try {
      // Safari requires a promise here. If the script waited for the image, Safari would no longer attribute the write
      // to the click.
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(file) })]);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Copying is not supported';
    }
    setTimeout(() => {
      button.textContent = 'Copy image';
    }, 2000);
  });
  return button;
}

/** Browsers write only PNG images to the clipboard. */
async function asPng(file: Blob): Promise<Blob> {
  if (file.type === 'image/png') return file;
  const image = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d')!.drawImage(image, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}
