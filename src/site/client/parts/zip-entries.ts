/** Reads the entries of a ZIP file (PKWARE APPNOTE 4.3), so that the page can show them before the file is saved. */
const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;

interface ZipEntry {
  name: string;
  read(): Promise<Blob>;
}

/** Returns the entries of `blob`, or an empty list if it is not a ZIP file. */
export async function zipEntries(blob: Blob): Promise<ZipEntry[]> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const view = new DataView(bytes.buffer);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END_SIGNATURE) end--;
  if (end < 0) return [];
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  while (at + 46 <= end && view.getUint32(at, true) === CENTRAL_SIGNATURE) {
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 20, true);
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    entries.push({
      name,
      read: () => {
        const start =
          local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
        return unpacked(new Blob([bytes.subarray(start, start + size)]), method);
      },
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

async function unpacked(data: Blob, method: number): Promise<Blob> {
  if (method === 0) return data;
  return new Response(data.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob();
}
