/** Reads what a ZIP holds (PKWARE's APPNOTE 4.3), so that a result can be seen before it is saved. */
const END = 0x06054b50;
const CENTRAL = 0x02014b50;

/** Entries as `{ name, size, read() }`; `read` gives a Blob. */
export async function zipEntries(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const view = new DataView(bytes.buffer);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) return [];
  const entries = [];
  let at = view.getUint32(end + 16, true);
  while (at + 46 <= end && view.getUint32(at, true) === CENTRAL) {
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    entries.push({ name, size, read: () => read(bytes, view, local, method, packed) });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

async function read(bytes, view, local, method, packed) {
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const data = new Blob([bytes.subarray(start, start + packed)]);
  if (method === 0) return data;
  return new Response(data.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob();
}
