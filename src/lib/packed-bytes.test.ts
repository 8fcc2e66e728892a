import { expect, it } from 'vitest';
import { PackedBytes } from './packed-bytes.ts';

const KB = 1024;

it('PackedBytes returns the appended bytes for pieces of any size, as its own copy', () => {
  for (const size of [1, 2, 3, 1000, 70 * KB]) {
    const packed = new PackedBytes();
    const expected: number[] = [];
    const piece = new Uint8Array(size);
    for (let round = 0; round < 5; round += 1) {
      piece.fill(round + 1);
      packed.append(piece);
      expected.push(...piece);
    }
    packed.append(new Uint8Array());
    expect(packed.size).toBe(5 * size);
    expect(packed.join()).toEqual(Uint8Array.from(expected));
    expect(packed.blocks().flatMap((block) => [...block])).toEqual(expected);
  }
});

it('PackedBytes is empty at first', () => {
  expect(new PackedBytes().join()).toEqual(new Uint8Array());
  expect(new PackedBytes().blocks()).toEqual([]);
});

it('PackedBytes needs few blocks and little memory for single bytes', () => {
  const packed = new PackedBytes();
  const one = Uint8Array.of(7);
  for (let byte = 0; byte < 1024 * KB; byte += 1) packed.append(one);
  expect(packed.blocks().length).toBeLessThan(40);
  const held = packed.blocks().reduce((sum, block) => sum + block.buffer.byteLength, 0);
  expect(held).toBeLessThanOrEqual(packed.size + 64 * KB);
});
