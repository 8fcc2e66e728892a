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
    ["it's the user's ID", 'its_the_users_id'],
    ['O’Brien', 'obrien'],
    ["the users' 'own' ID", 'the_users_own_id'],
    ['launch 🚀 day', 'launch_day'],
  ])('splits %j into words', async (text, snake) => {
    expect((await cases(text)).snake_case).toBe(snake);
  });

  it.each([
    ["it's the user's ID", "It's The User's Id", "It's the user's id"],
    ['it’s the user’s ID', 'It’s The User’s Id', 'It’s the user’s id'],
    ["the 'own' cafe\u0301s", "The 'Own' Cafe\u0301s", "The 'own' cafe\u0301s"],
  ])('keeps the apostrophes of %s in a title and a sentence', async (text, title, sentence) => {
    expect(await cases(text)).toMatchObject({ 'Title Case': title, 'Sentence case': sentence });
  });

  it('capitalizes each sentence', async () => {
    expect((await cases('HELLO. HOW ARE YOU?'))['Sentence case']).toBe('Hello. How are you?');
  });
});
