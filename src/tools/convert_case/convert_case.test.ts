import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { convertCaseHere } from './in-browser.ts';

const cases = async (text: string) => (await runTool(convertCaseHere, { text })).value;

describe('convert_case', () => {
  it('writes words in every case', async () => {
    expect(await cases('total price')).toEqual({
      'UPPER CASE': 'TOTAL PRICE',
      'lower case': 'total price',
      'Title Case': 'Total Price',
      'Sentence case': 'Total price',
      camelCase: 'totalPrice',
      PascalCase: 'TotalPrice',
      snake_case: 'total_price',
      'kebab-case': 'total-price',
      CONSTANT_CASE: 'TOTAL_PRICE',
    });
  });

  it.each([
    ['parseHTTPResponse', 'parse_http_response'],
    ['user-id', 'user_id'],
    ['version2', 'version_2'],
    ['Größe im Bild', 'größe_im_bild'],
    ['a\nbC', 'a\nb_c'],
  ])('splits %j into words', async (text, snake) => {
    expect((await cases(text)).snake_case).toBe(snake);
  });

  it('capitalizes each sentence', async () => {
    expect((await cases('HELLO. HOW ARE YOU?'))['Sentence case']).toBe('Hello. How are you?');
  });
});
