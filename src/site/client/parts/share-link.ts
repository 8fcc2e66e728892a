/** A public link to a result: made when the visitor asks for it, with its expiry, a QR code and a button that deletes it. */
import { endOfFileId } from '../../../lib/file-id.ts';
import { codeBlock } from './code-block.ts';
import { make } from './elements.ts';
import { errorText } from './error-text.ts';

const EXECUTE = '/api/v1/tools/execute';

/** The button, and the box that shows what it made. */
export function shareParts(file: File): [button: HTMLButtonElement, box: HTMLElement] {
  const button = make('button', { type: 'button', textContent: 'Share a link' });
  const box = make('div', { className: 'stack tight', hidden: true, role: 'status' });
  button.addEventListener('click', async () => {
    button.disabled = true;
    box.hidden = false;
    box.replaceChildren('Uploading…');
    try {
      const { url, fileId, deleteToken } = await upload(file);
      box.replaceChildren(...linkParts(url, fileId, deleteToken, box, button));
    } catch (error) {
      button.disabled = false;
      box.replaceChildren(make('p', { className: 'notice bad', textContent: errorText(error) }));
    }
  });
  return [button, box];
}

interface Uploaded {
  url: string;
  fileId: string;
  deleteToken: string;
}

async function upload(file: File): Promise<Uploaded> {
  const body = new FormData();
  body.set('tool', 'upload_file');
  body.set('file', file);
  return answerOf(await fetch(EXECUTE, { method: 'POST', body }));
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function linkParts(
  url: string,
  fileId: string,
  deleteToken: string,
  box: HTMLElement,
  share: HTMLButtonElement,
): Node[] {
  const end = new Date(endOfFileId(fileId)!);
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
      note.textContent = errorText(error);
    }
  });
  const remove = make('button', {
    type: 'button',
    className: 'small',
    textContent: 'Delete the link now',
  });
  remove.addEventListener('click', async () => {
    remove.disabled = true;
    const headers = { 'X-Delete-Token': deleteToken };
    const { ok } = await fetch(url, { method: 'DELETE', headers }).catch(() => ({ ok: false }));
    remove.disabled = false;
    if (!ok) {
      note.textContent = 'The link was not deleted. Try again.';
      return;
    }
    box.replaceChildren('The link is deleted.');
    share.disabled = false;
  });
  return [codeBlock(url, 'the link'), note, make('div', { className: 'actions' }, code, remove)];
}

async function qrCode(text: string): Promise<HTMLElement> {
  const answer = await fetch(EXECUTE, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tool: 'generate_qr_code', parameters: { text, size: 320 } }),
  });
  const { dataUrl } = await answerOf<{ dataUrl: string }>(answer);
  const image = make('img', { src: dataUrl, alt: 'QR code of the link', width: 160, height: 160 });
  return make('div', { className: 'qr-result' }, image);
}
