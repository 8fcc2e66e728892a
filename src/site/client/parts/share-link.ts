/**
 * Creates a public link to a result on request, and shows it with its expiry, a QR code and a button that deletes it.
 */
import { fileExpiry } from '../../../lib/file-id.ts';
import { deleteFile, postJson, type StoredFile, uploadFile } from './api.ts';
import { codeBlock } from './code-block.ts';
import { linked, make } from './elements.ts';
import { errorText } from './error-text.ts';
import { sharedLinks } from './shared-links.ts';

/** Returns the button, and the box that shows the link. An existing link is shown immediately. */
export function shareParts(file: File): [button: HTMLButtonElement, box: HTMLElement] {
  const button = make('button', { type: 'button', textContent: 'Share a link' });
  const box = make('div', { className: 'stack tight', hidden: true, role: 'status' });
  button.addEventListener('click', async () => {
    button.disabled = true;
    box.hidden = false;
    box.replaceChildren('Uploading…');
    try {
      const stored = await uploadFile(file);
      sharedLinks.set(file, stored);
      // The upload counts as a run, so the page updates the remaining quota.
      button.dispatchEvent(new CustomEvent('counted', { bubbles: true }));
      box.replaceChildren(...linkParts(file, stored, box, button));
      box.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      button.disabled = false;
      box.replaceChildren(make('p', { className: 'notice bad' }, ...linked(errorText(error))));
    }
  });
  const known = sharedLinks.get(file);
  if (known) {
    button.disabled = true;
    box.hidden = false;
    box.replaceChildren(...linkParts(file, known, box, button));
  }
  return [button, box];
}

function linkParts(
  file: File,
  stored: StoredFile,
  box: HTMLElement,
  share: HTMLButtonElement,
): Node[] {
  const { url, fileId } = stored;
  const end = new Date(fileExpiry(fileId)!);
  const until = end.toLocaleString([], { dateStyle: 'long', timeStyle: 'short' });
  const note = make('p', {
    className: 'small soft',
    textContent: `Anyone with this link can open the file until ${until}. Then it is deleted.`,
  });
  const code = make('button', {
    type: 'button',
    className: 'small',
    textContent: 'QR code of this link',
  });
  code.addEventListener('click', async () => {
    code.disabled = true;
    try {
      code.replaceWith(await qrCode(url));
    } catch (error) {
      note.replaceChildren(...linked(errorText(error)));
    }
  });
  const remove = make('button', {
    type: 'button',
    className: 'small',
    textContent: 'Delete the link now',
  });
  remove.addEventListener('click', async () => {
    remove.disabled = true;
    if (await deleteFile(stored)) {
      sharedLinks.delete(file);
      box.replaceChildren('The link was deleted.');
      share.disabled = false;
    } else {
      note.textContent = 'The link was not deleted. Try again.';
      remove.disabled = false;
    }
  });
  return [codeBlock(url, 'the link'), note, make('div', { className: 'actions' }, code, remove)];
}

async function qrCode(text: string): Promise<HTMLElement> {
  const { dataUrl } = await postJson<{ dataUrl: string }>('/api/v1/tools/generate_qr_code', {
    text,
    size: 320,
  });
  const image = make('img', { src: dataUrl, alt: 'QR code of the link', width: 160, height: 160 });
  return make('div', { className: 'qr-result' }, image);
}
