/**
 * Preserves the input and the result across a reload and the back button, in the tab's session storage. Files that do
 * not fit are not saved.
 */

/** Browsers allow about 5 million characters of storage. */
const MAX_CHARACTERS = 3_500_000;
const KEY = `tool:${location.pathname}`;

export interface SavedFile {
  name: string;
  type: string;
  /** The content as a data URI. */
  data: string;
}

export interface SavedWork {
  /** The values by field. A checkbox has `true` or `false`. */
  values: Record<string, string>;
  files: SavedFile[];
  /** A file, or the page fragment that shows any other result. */
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

/** Saves the work. If it is too large, the result or the files are omitted, and if that is not enough, both. */
export function saveWork(work: SavedWork): void {
  const parts = [
    work,
    { ...work, result: undefined },
    { ...work, files: [] },
    { values: work.values, files: [] },
  ];
  for (const part of parts) {
    const text = JSON.stringify(part);
    if (text.length > MAX_CHARACTERS) continue;
    try {
      sessionStorage.setItem(KEY, text);
      return;
    } catch {
      // The storage is full or blocked. A smaller version may fit.
    }
  }
}

/**
 * Encodes the files of the field `box` whenever they change, because there is no time for it when the visitor leaves
 * the page. Returns a function that returns the newest encoding, without files that are too large.
 */
export function encodedFiles(box: HTMLElement, files: () => readonly File[]): () => SavedFile[] {
  let encoded: SavedFile[] = [];
  box.addEventListener('files', async () => {
    const read = await Promise.all(files().map(savedFile)).catch(() => []);
    encoded = read.flatMap((file) => file ?? []);
  });
  return () => encoded;
}

/** Encodes a file for saving. Returns null if the file is certainly too large. */
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

/** Returns the file that `savedFile` encoded. */
export function restoredFile({ name, type, data }: SavedFile): File {
  const bytes = Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), (one) =>
    one.charCodeAt(0),
  );
  return new File([bytes], name, { type });
}
