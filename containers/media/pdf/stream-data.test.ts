/** Tests that only errors about the data of a stream count as damage. */
import { expect, it } from 'vitest';
import { PdfStream, UNRESOLVED } from './objects.ts';
import { decodedData, flateStream } from './stream-data.ts';

const stream = flateStream(Buffer.from('some text'));

it('damaged or too large stream data is undefined', () => {
  const damaged = new PdfStream(stream.dictionary, Buffer.from('no zlib data'));
  expect(decodedData(UNRESOLVED, damaged, 100)).toBeUndefined();
  expect(decodedData(UNRESOLVED, stream, 5)).toBeUndefined();
  expect(decodedData(UNRESOLVED, stream, 100)?.toString()).toBe('some text');
});

it('an error of our code while a stream is decoded is thrown', () => {
  expect(() => decodedData(UNRESOLVED, stream, Number.POSITIVE_INFINITY)).toThrow(RangeError);
});
