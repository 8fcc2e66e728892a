/**
 * Preserves the input and the result across a reload and the back button, in the tab's session storage. Files that do
 * not fit or are not encoded yet are not saved, but their names are.
 */
import type { StoredFile } from './api.ts';
import { restorePages, type SavedPages, savedPages } from './arranged-pages.ts';
import { compareSizes, inputBytesOf, isReduced } from './file-result.ts';
import { sharedLinks } from './shared-links.ts';

/**
 * The size limits for the saved work, in characters, in the order in which they are tried. Browsers allow about 5
 * million characters, and other pages in the same tab may use some of them.
 */
const BUDGETS = [4_900_000, 3_500_000, 1_500_000, 400_000, 0];
const KEY = `tool:${location.pathname}`;

export interface SavedFile {
  name: string;
  type: string;
  /** The content as a data URI. Empty if the file is too large or not encoded yet. */
  data: string;
  /** Whether the result's size is shown next to the size of the input. */
  isReduced?: boolean;
  /** The size of the input in bytes, if the service reported it. */
  inputBytes?: number;
  /** The public link that the visitor created. */
  link?: StoredFile;
  /** The changes to the pages of an input. */
  pages?: SavedPages;
}

/** Why a file in a batch has no result. */
export interface RowProblem {
  text: string;
  isError: boolean;
  canRetry: boolean;
  /** The message that concerns all files, for example about a limit. It is shown once, above the rows. */
  shared?: { status: number; text: string };
}

/** A file in a batch, with its result or the reason why it has no result. */
export interface SavedRow {
  /** The name of the input. */
  name: string;
  /** The size of the input in bytes. */
  size: number;
  result?: SavedFile;
  warnings?: readonly string[];
  problem?: RowProblem;
  isDownloaded?: boolean;
  /** Whether the result was too large to save. */
  isLost?: boolean;
}

export interface SavedWork {
  /** The values by field. The value of a checkbox is `true` or `false`. */
  values: Record<string, string>;
  files: SavedFile[];
  /** A file, or the page fragment that shows a result of any other kind. */
  result?: SavedFile | string;
  /** The results of a batch. */
  rows?: SavedRow[];
  /** The warnings of the result. */
  warnings?: string;
  /** Whether the visitor has saved the result as a file. */
  isDownloaded?: boolean;
  /** Whether the form has changed since the result was created. */
  isStale?: boolean;
  /** Whether the visitor left the page during a run. */
  isInterrupted?: boolean;
  /** The names of the input files that were too large to save or not encoded yet. Set by `saveWork`. */
  lost?: string[];
  /** Whether the result was too large to save. Set by `saveWork`. */
  isResultLost?: boolean;
}

/** Returns the saved work of this page after a reload or the back button, otherwise null. */
export function savedWork(): SavedWork | null {
  const [navigation] = performance.getEntriesByType('navigation');
  const { type } = navigation as PerformanceNavigationTiming;
  if (type !== 'reload' && type !== 'back_forward') return null;
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : JSON.parse(text);
}

/**
 * Saves as much of the work as fits, and returns what was saved. Results have priority over input files, because a lost
 * result costs another run.
 */
export function saveWork(work: SavedWork): SavedWork {
  for (const budget of BUDGETS) {
    const part = fitted(work, budget);
    try {
      sessionStorage.setItem(KEY, JSON.stringify(part));
      return part;
    } catch {
      // The storage is full or blocked. A smaller version may fit.
    }
  }
  return fitted(work, 0);
}

/** Returns the work without the results and files that do not fit into `budget` characters. */
function fitted({ result, rows, files, ...rest }: SavedWork, budget: number): SavedWork {
  let remaining = budget - JSON.stringify(rest).length;
  const fits = (part: SavedFile | string): boolean => {
    const { length } = JSON.stringify(part);
    if (length > remaining || (typeof part === 'object' && part.data === '')) return false;
    remaining -= length;
    return true;
  };
  const isResultLost = result !== undefined && !fits(result);
  const savedRows = rows?.map((row) =>
    row.result && !fits(row.result) ? { ...row, result: undefined, isLost: true } : row,
  );
  const savedFiles = files.filter(fits);
  return {
    ...rest,
    ...(isResultLost ? { isResultLost } : { result }),
    rows: savedRows,
    files: savedFiles,
    lost: files.filter((file) => !savedFiles.includes(file)).map(({ name }) => name),
  };
}

/** The message that replaces a result that was not saved. */
export const RESULT_LOST = 'The result could not be stored. Run the tool again.';

/** Whether the work lacks a result that the visitor has not downloaded. */
export const lacksResult = ({ isResultLost, isDownloaded, rows = [] }: SavedWork): boolean =>
  (isResultLost && !isDownloaded) || rows.some((row) => row.isLost && !row.isDownloaded);

/** Returns a message that names the files that were not saved. Returns an empty string if there are none. */
export function lostText({ lost = [] }: SavedWork): string {
  if (lost.length === 0) return '';
  const names = new Intl.ListFormat('en').format(lost);
  return lost.length === 1
    ? `${names} could not be stored. Choose it again.`
    : `${names} could not be stored. Choose them again.`;
}

/**
 * Encodes the files of the field `box` whenever they change, because there is no time to encode them when the visitor
 * leaves the page. Returns a function that returns the latest encoding. A file that is too large or not encoded yet has
 * no data.
 */
export function encodedFiles(box: HTMLElement, files: () => readonly File[]): () => SavedFile[] {
  const encoded = new WeakMap<File, SavedFile>();
  box.addEventListener('files', async () => {
    for (const file of files()) {
      if (encoded.has(file)) continue;
      const saved = await savedFile(file).catch(() => null);
      if (saved) encoded.set(file, saved);
    }
  });
  return () =>
    files().map((file) => ({
      ...(encoded.get(file) ?? withoutData(file)),
      pages: savedPages(file),
    }));
}

/** Returns the saved entry for a file whose content cannot be saved. */
export const withoutData = ({ name, type }: File): SavedFile => ({ name, type, data: '' });

/** Encodes a file for saving. Returns null if the file alone exceeds the storage limit. */
export async function savedFile(file: File): Promise<SavedFile | null> {
  if (file.size * (4 / 3) > BUDGETS[0]!) return null;
  const reader = new FileReader();
  const loaded = new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = reject;
  });
  reader.readAsDataURL(file);
  await loaded;
  const sizes = isReduced(file) ? { isReduced: true, inputBytes: inputBytesOf(file) } : {};
  return { name: file.name, type: file.type, data: String(reader.result), ...sizes };
}

/** Returns the file that `savedFile` encoded. */
export function restoredFile(saved: SavedFile): File {
  const { name, type, data, isReduced, inputBytes, link, pages } = saved;
  const bytes = Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), (one) =>
    one.charCodeAt(0),
  );
  const file = new File([bytes], name, { type });
  if (isReduced) compareSizes(file, inputBytes);
  if (link) sharedLinks.set(file, link);
  if (pages) restorePages(file, pages);
  return file;
}
