/** Makes a small PDF with so many objects that qpdf takes a long time to process it. */
import { deflateSync } from 'node:zlib';

const MANY = 300_000;
/** The number of objects per object stream, which is typical of real files. */
const IN_STREAM = 50;
/**
 * The number of the first object inside an object stream. The objects before it are the catalog, the page tree, the
 * page and a list.
 */
const FIRST = 5;

/**
 * Makes the PDF.
 * @param objects the number of objects; qpdf reads and writes a few hundred thousand per second
 */
export function makeSlowPdf(objects = MANY): Uint8Array<ArrayBuffer> {
  const parts = [Buffer.from('%PDF-1.5\n')];
  let length = parts[0]!.length;
  const streams = objects / IN_STREAM;
  const size = FIRST + objects + streams + 1;
  const table = Buffer.alloc(size * ENTRY);
  table.writeUInt16BE(0xffff, 5);
  const add = (number: number, body: string | Buffer) => {
    const part = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(body),
      Buffer.from('\nendobj\n'),
    ]);
    writeEntry(table, number, 1, length, 0);
    parts.push(part);
    length += part.length;
  };
  add(1, '<</Type/Catalog/Pages 2 0 R>>');
  add(2, '<</Type/Pages/Count 1/Kids[3 0 R]>>');
  add(3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/PieceInfo 4 0 R>>');
  const numbers = Array.from({ length: objects }, (_, index) => FIRST + index);
  add(4, `[${numbers.map((number) => `${number} 0 R`).join(' ')}]`);
  for (let stream = 0; stream < streams; stream += 1) {
    const held = numbers.slice(stream * IN_STREAM, (stream + 1) * IN_STREAM);
    const offsets: string[] = [];
    let content = '';
    for (const [index, number] of held.entries()) {
      offsets.push(`${number} ${content.length}`);
      content += `[${number}] `;
      writeEntry(table, number, 2, FIRST + objects + stream, index);
    }
    const head = `${offsets.join(' ')}\n`;
    const details = `/Type/ObjStm/N ${held.length}/First ${head.length}`;
    add(FIRST + objects + stream, streamOf(details, Buffer.from(head + content)));
  }
  const start = length;
  writeEntry(table, size - 1, 1, start, 0);
  add(size - 1, streamOf(`/Type/XRef/Size ${size}/W[1 4 2]/Root 1 0 R`, table));
  parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}

/** The size in bytes of a cross-reference stream entry, which consists of a kind, an offset or number, and an index. */
const ENTRY = 7;

function writeEntry(
  table: Buffer,
  number: number,
  kind: number,
  location: number,
  index: number,
): void {
  table.writeUInt8(kind, number * ENTRY);
  table.writeUInt32BE(location, number * ENTRY + 1);
  table.writeUInt16BE(index, number * ENTRY + 5);
}

function streamOf(details: string, content: Buffer): Buffer {
  const packed = deflateSync(content);
  const head = `<<${details}/Filter/FlateDecode/Length ${packed.length}>>stream\n`;
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]);
}
