/** Runs the home page's chain on a photo, and shows the result of each step. */
import { sizeText } from '../../../core/size-text.ts';
import { deleteFile, postJson, storeInput } from './api.ts';
import { findRefused, sortOut } from './chosen-files.ts';
import { byId, find, make, showMessage } from './elements.ts';
import { errorText } from './error-text.ts';
import { firstPage } from './pdf-pages.ts';
import { sampleFile } from './sample-file.ts';

interface Facts {
  url?: string;
  dataUrl?: string;
  contentType?: string;
  filename?: string;
  size?: number;
  inputBytes?: number;
  width?: number;
  height?: number;
  pages?: number;
}

interface StepResult {
  status: string;
  /** If the result is a large image, its properties are in `metadata`. */
  result?: Facts & { metadata?: Facts };
  error?: { error: string };
}

export function showHeroChain(): void {
  const file = byId<HTMLInputElement>('try-file');
  const panel = byId('try');
  byId('try-sample').addEventListener('click', async () =>
    run(await sampleFile(panel, 'photo.jpg', 0)),
  );
  file.addEventListener('change', () => {
    const [chosen] = file.files!;
    if (chosen) run(chosen);
    file.value = '';
  });
  panel.addEventListener('dragover', (event) => event.preventDefault());
  panel.addEventListener('drop', (event) => {
    event.preventDefault();
    const [dropped] = event.dataTransfer!.files;
    if (dropped) run(dropped);
  });
}

async function run(file: File): Promise<void> {
  const panel = byId('try');
  const wanted = { kinds: 'image', noun: 'an image' };
  const message =
    sortOut([file], wanted).message ||
    (await findRefused([file], wanted)).message ||
    (panel.ariaBusy === 'true' ? 'Wait until the current photo has been processed.' : '');
  showMessage(byId('try-problem'), message);
  if (message) return;
  panel.ariaBusy = 'true';
  byId('try-status').textContent = 'Working…';
  try {
    const stored = await storeInput(file);
    try {
      const steps = await runChain(stored.url);
      for (const [index, item] of panel.querySelectorAll('li').entries())
        await showStep(item, steps[index]!);
    } finally {
      if (!(await deleteFile(stored)))
        showMessage(byId('try-problem'), 'The photo was not deleted. It expires after 24 hours.');
    }
    byId('try-status').textContent = 'Your photo after each step:';
  } catch (error) {
    byId('try-status').textContent = '';
    showMessage(byId('try-problem'), errorText(error));
  }
  panel.ariaBusy = null;
}

async function runChain(url: string): Promise<StepResult[]> {
  const { chain, placeholder } = byId('try').dataset;
  const toolChain = JSON.parse(chain!.replaceAll(placeholder!, url));
  const { results } = await postJson<{ results: StepResult[] }>('/api/v1/tools/chain', {
    toolChain,
  });
  const failed = results.find(({ error }) => error);
  if (failed) throw new Error(failed.error!.error);
  return results;
}

async function showStep(item: HTMLElement, { result: given }: StepResult): Promise<void> {
  const result = { ...given, ...given?.metadata };
  const thumb = find(item, '[data-thumb]');
  thumb.replaceChildren(await thumbnail(result));
  const { url, dataUrl, filename = 'qr-code.png' } = result;
  const facts = find(item, '[data-facts]');
  const href = dataUrl ?? `${url}?download`;
  const save = make('a', { href, download: filename, ariaLabel: `Save ${filename}` }, 'Save');
  facts.replaceChildren(factsOf(result), ' ', save);
}

async function thumbnail({ url, dataUrl, contentType }: Facts) {
  if (contentType === 'application/pdf')
    return firstPage(await (await fetch(url!)).blob(), 'The page');
  return make('img', { src: dataUrl ?? url!, alt: dataUrl ? 'The QR code' : 'The smaller photo' });
}

function factsOf({ size, inputBytes, width, height, pages, dataUrl }: Facts) {
  if (dataUrl) return 'Scan it to open the PDF.';
  const sizes = [inputBytes, size].filter((bytes) => bytes !== undefined).map(sizeText);
  const extent =
    pages === undefined ? `${width} × ${height} px` : `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  return `${extent}, ${sizes.join(' → ')}`;
}
