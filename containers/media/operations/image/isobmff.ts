/** Reads the boxes of a file in the ISO base media file format (ISO/IEC 14496-12, section 4.2). */

export interface Box {
  type: string;
  /** The offsets of the box's content. */
  start: number;
  end: number;
}

/** Returns the boxes between two offsets, up to the first invalid box. */
export function boxesIn(file: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const short = file.readUInt32BE(at);
    const header = short === 1 ? 16 : 8;
    if (at + header > to) break;
    const size = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short || to - at;
    if (size < header || at + size > to) break;
    boxes.push({
      type: file.toString('latin1', at + 4, at + 8),
      start: at + header,
      end: at + size,
    });
    at += size;
  }
  return boxes;
}

export const findBox = (boxes: readonly Box[], type: string): Box | undefined =>
  boxes.find((box) => box.type === type);
