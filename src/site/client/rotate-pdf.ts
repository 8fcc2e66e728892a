/**
 * Runs rotate_pdf in the browser. Shows a button for each page of the chosen PDF, and creates the result in a worker.
 */
import { problemWith } from './parts/chosen-files.ts';
import { byId, find, make } from './parts/elements.ts';
import { errorText } from './parts/error-text.ts';
import { clearError, setError } from './parts/field-errors.ts';
import { fileList } from './parts/file-list.ts';
import { warnBeforeLeaving } from './parts/leave-warning.ts';
import { pagePicker } from './parts/page-picker.ts';
import { rotatedFile } from './parts/rotated-file.ts';
import { sampleFile } from './parts/sample-file.ts';
import { takeSentFiles } from './parts/send-file.ts';
import {
  lacksResult,
  lostText,
  RESULT_LOST,
  restoredFile,
  type SavedWork,
  savedFile,
  savedWork,
  saveWork,
  withoutData,
} from './parts/session.ts';
import {
  clearResult,
  resultElements,
  showParts,
  showResult,
  showRunning,
  showWaiting,
} from './parts/tool-result.ts';

const form = byId<HTMLFormElement>('tool-form');
const box = find(form, '[data-files]');
const field = byId<HTMLInputElement>('pages');
const submit = find<HTMLButtonElement>(form, 'button.main');
const list = fileList(box);
const picker = pagePicker(field, (page, button) => {
  buttons.set(page, button);
  const rotateButton = (textContent: string, side: string, degrees: number) => {
    const ariaLabel = `Rotate page ${page} ${side}`;
    const made = make('button', { type: 'button', className: 'rotate', textContent, ariaLabel });
    made.addEventListener('click', () => rotate([page], degrees));
    return made;
  };
  return [make('div', {}, rotateButton('↺', 'left', -90), rotateButton('↻', 'right', 90))];
});

const buttons = new Map<number, HTMLButtonElement>();
/** The clockwise rotations in degrees, by page. A page that is not rotated has no entry. */
const rotations = new Map<number, number>();
let total = 0;
let saved: SavedWork = { values: {}, files: [] };
/** Whether the pages of the chosen file can be rotated. */
let opened: Promise<boolean> = Promise.resolve(false);

let chosen: File | undefined;
box.addEventListener('files', () => {
  const file = list.firstAccepted();
  // The file is unchanged if the visitor chose another one and it was refused.
  if (file && file === chosen) return;
  chosen = file;
  opened = open(file);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void run();
});
for (const button of form.querySelectorAll<HTMLElement>('[data-rotate]')) {
  button.addEventListener('click', () => {
    const pages = picker.selected();
    const problem = picker.problem();
    if (problem) return setError(field, problem, true);
    rotate(pages.size > 0 ? pages : buttons.keys(), Number(button.dataset.rotate));
  });
}
find(document, '[data-sample]').addEventListener('click', async () => {
  list.replace([await sampleFile(form, 'report.pdf', 0)]);
  if (!(await opened)) return;
  rotate(buttons.keys(), 90);
  await run();
});
const save = () =>
  saveWork({ ...saved, values: { pages: field.value, rotations: JSON.stringify([...rotations]) } });
addEventListener('pagehide', save);
warnBeforeLeaving(() => lacksResult(save()));
byId('result').addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a[download]')) saved.isDownloaded = true;
});
takeSentFiles(list.add);
submit.disabled = false;
void restore();

/** Shows the pages of `file`. Returns whether they can be rotated. */
async function open(file: File | undefined): Promise<boolean> {
  const isCurrent = () => list.files()[0] === file;
  clearResult();
  rotations.clear();
  byId('rotation').hidden = true;
  field.value = '';
  saved = { values: {}, files: [] };
  total = await picker.show(file);
  if (!file || !isCurrent()) return false;
  try {
    await rotatedFile(form.dataset.worker!, file, new Map(), total);
  } catch (error) {
    if (isCurrent()) setError(box, errorText(error));
    return false;
  }
  if (!isCurrent()) return false;
  byId('rotation').hidden = false;
  const stored = await savedFile(file).catch(() => null);
  if (isCurrent()) saved.files = [stored ?? withoutData(file)];
  return true;
}

function rotate(pages: Iterable<number>, by: number): void {
  const all = [...pages];
  for (const page of all) {
    const angle = ((rotations.get(page) ?? 0) + by + 360) % 360;
    if (angle === 0) rotations.delete(page);
    else rotations.set(page, angle);
    showRotation(page, angle);
  }
  clearError(field);
  const what = all.length === 1 ? `Page ${all[0]} is` : `${all.length} pages are`;
  byId('rotated').textContent = `${what} rotated.`;
}

function showRotation(page: number, angle: number): void {
  const button = buttons.get(page)!;
  find<HTMLElement>(button, 'canvas').style.rotate = `${angle}deg`;
  const suffix = rotationText(angle);
  find(button, 'span').textContent = `${page}${suffix}`;
  button.ariaLabel = `Page ${page}${suffix}`;
}

function rotationText(angle: number): string {
  if (angle === 0) return '';
  if (angle === 180) return ', 180°';
  return angle === 90 ? ', 90° right' : ', 90° left';
}

async function run(): Promise<void> {
  const files = [...list.files()];
  const [file] = files;
  const problem = problemWith(files, box.dataset);
  if (problem || !file) return setError(box, problem ?? '', true);
  // If the file was refused, its message is already shown.
  if (!(await opened)) return find(box, 'input').focus();
  if (rotations.size === 0)
    return setError(field, picker.problem() ?? 'Rotate a page first.', true);
  const controller = new AbortController();
  submit.disabled = true;
  showRunning(controller.signal);
  try {
    const rotated = await rotatedFile(form.dataset.worker!, file, rotations, total);
    showResult(await resultElements(rotated, files), undefined, files, true);
    saved = { ...saved, result: (await savedFile(rotated)) ?? withoutData(rotated) };
    saved.isDownloaded = false;
  } catch (error) {
    clearResult();
    setError(box, errorText(error), true);
  } finally {
    controller.abort();
    byId('result').removeAttribute('aria-busy');
    submit.disabled = false;
  }
}

async function restore(): Promise<void> {
  const work = savedWork();
  if (!work) return;
  setError(box, lostText(work));
  const [file] = work.files.map(restoredFile);
  if (!file) return;
  list.replace([file]);
  if (!(await opened)) return;
  field.value = work.values.pages ?? '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  for (const [page, angle] of JSON.parse(work.values.rotations ?? '[]') as [number, number][])
    rotate([page], angle);
  if (work.isResultLost) showWaiting(RESULT_LOST);
  if (typeof work.result !== 'object') return;
  saved.result = work.result;
  showParts(await resultElements(restoredFile(work.result), []), [file]);
}
