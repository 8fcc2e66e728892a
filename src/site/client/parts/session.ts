/**
 * Preserves the input and the result across a reload and the back button, in the tab's session storage. Files that do
 * not fit are not saved.
 */

/** Browsers allow 5 million characters. */
const MAX_CHARACTERS = 3_500_000;
const KEY = `tool:${location.pathname}`;

export interface SavedFile {
  name: string;
  type: string;
  /** A data URI. */
  data: string;
}

export interface SavedWork {
  /** Values by field; `true` and `false` for checkboxes. */
  values: Record<string, string>;
  files: SavedFile[];
  /** A file, or the fragment of the page that shows the result. */
  result?: SavedFile | string;
}

/** Returns the saved work of this page, or null on a first visit. */
export function savedWork(): SavedWork | null {
  const [navigation] = performance.getEntriesByType('navigation');
  const { type } = navigation as PerformanceNavigationTiming;
  if (type !== 'reload' && type !== 'back_forward') return null;
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : JSON.parse(text);
}

/** Saves the work; if it is too large, without the result, and then also without the files. */
export function saveWork(work: SavedWork): void {
  for (const part of [work, { ...work, result: undefined }, { values: work.values, files: [] }]) {
    const text = JSON.stringify(part);
    if (text.length > MAX_CHARACTERS) continue;
    try {
      sessionStorage.setItem(KEY, text);
      return;
    } catch {
      // Storage is full or blocked; a smaller version may fit.
    }
  }
}

/** Returns null if the file is certainly too large. */
export async function savedFile(file: File): Promise<SavedFile | null> {
  if (file.size * 1.4 > MAX_CHARACTERS) return null;
  const reader = new FileReader();
  const loaded = new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = reject;
  });
  reader.readAsDataURL(file);
  await loaded;
  return { name: file.name, type: file.type, data: String(reader.result) };
}

/** Restores a file from the output of `savedFile`. */
export function restoredFile({ name, type, data }: SavedFile): File {
  const bytes = Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), (one) =>
    one.charCodeAt(0),
  );
  return new File([bytes], name, { type });
}
