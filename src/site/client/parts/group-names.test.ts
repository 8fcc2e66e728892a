import { expect, it } from 'vitest';
import { groupNames } from './group-names.ts';

it.each([
  ['a', []],
  ['(a)(b(c))', [null, null, null]],
  [String.raw`(?<k>\w+)=(\w+)`, ['k', null]],
  [String.raw`(?:a)(?=b)(?!c)(?<=d)(?<!e)(?i:f)\((g)`, [null]],
  [String.raw`[(](?<year>\d{4})[^)\](]([(]?)`, ['year', null]],
])('groupNames returns the names in %s', (pattern, names) => {
  expect(groupNames(pattern)).toEqual(names);
  expect(new RegExp(`${pattern}|`).exec('')).toHaveLength(names.length + 1);
});
