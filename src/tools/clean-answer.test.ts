import { describe, expect, it } from 'vitest';
import { cleanAnswer } from './clean-answer.ts';

const TEXT = 'We met on Tuesday.\n\nIt went well.';

describe('cleanAnswer removes', () => {
  it.each([
    ['a fence', `\`\`\`\n${TEXT}\n\`\`\``],
    ['a fence with a language', `\`\`\`markdown\n${TEXT}\n\`\`\``],
    ['a fence that was cut off', `\`\`\`text\n${TEXT}`],
    ['a preamble', `Here is the rewritten text:\n\n${TEXT}`],
    ['a long preamble', `Sure! Here's a more natural version of the passage you sent me:\n${TEXT}`],
    ['a label', `Rewritten text:\n\n${TEXT}`],
    ['a courtesy phrase', `Certainly!\n\n${TEXT}`],
    ['a leading sentence', `Certainly! Below is a polished draft for you.\n\n${TEXT}`],
    ['a preamble before a fence', `Of course, here you go:\n\`\`\`\n${TEXT}\n\`\`\``],
    ['quotation marks around the whole', `"${TEXT}"`],
    ['curly quotation marks', `“${TEXT}”`],
    ['a trailing offer', `${TEXT}\n\nLet me know if you would like any changes!`],
    ['Windows line endings', TEXT.replaceAll('\n', '\r\n')],
    ['nothing from a clean answer', TEXT],
  ])('%s', (_, answer) => {
    expect(cleanAnswer(answer)).toBe(TEXT);
  });

  it.each([
    ['an opening quotation', '"Yes," she said. "No," he said.'],
    ['two quotations', '"Yes." And then: "No."'],
    ['a first line with a colon', 'Shopping list:\nmilk\neggs'],
    ['an announced list', 'Here is what we need:\n- paper\n- ink'],
    ['an announcing greeting', 'Great news for the team:\nwe won.'],
    ['a fence in the middle', 'Run this:\n\n```\nls\n```\n\nThen stop.'],
    ['a word that starts like a courtesy phrase', 'Surely this stays.\n\nIt does.'],
    ['a leading sentence of its author', 'Sure, here is what I need.\n\nA draft.'],
    ['the author’s own “Sure”', 'Sure, I can come at ten.\n\nBest regards'],
  ])('nothing from an answer with %s', (_, answer) => {
    expect(cleanAnswer(answer)).toBe(answer);
  });

  it.each([
    [
      'a closing offer',
      'The template is provided as is.\nYou may modify the template as you see fit.',
      'The template comes as is.\nFeel free to modify the template any way you like.',
    ],
    ['a courtesy phrase', 'Of course!\n\nWe can ship on Monday.', 'Sure!\n\nWe can ship Monday.'],
    [
      'an announcement',
      'Below, the SQL query is given:\n\nSELECT 1',
      "Here's the SQL query:\n\nSELECT 1",
    ],
    [
      'a leading sentence',
      'Of course. Attached is the draft.\n\nAnn',
      'Sure. Here is the draft.\n\nAnn',
    ],
    ['different quotation marks', '“I will utilize it.”', '"I will use it."'],
    [
      'two fences with prose between them',
      '```js\nlet a\n```\n\nAnd then:\n\n```js\nlet b\n```',
      '```js\nlet a\n```\n\nThen:\n\n```js\nlet b\n```',
    ],
    ['a fence around the whole', '```js\nlet a\n```', '```js\nlet a\n```'],
  ])('nothing that corresponds to the caller’s text: %s', (_, source, answer) => {
    expect(cleanAnswer(answer, source)).toBe(answer);
  });

  it('an outer fence around Markdown with its own fences, but not the outer two of several', () => {
    const markdown = '# Title\n\n```js\nlet a\n```\n\nThe end.';
    expect(cleanAnswer(`\`\`\`markdown\n${markdown}\n\`\`\``)).toBe(markdown);
    const two = '```js\nlet a\n```\n\nAnd then:\n\n```js\nlet b\n```';
    expect(cleanAnswer(two)).toBe(two);
  });

  it('preambles and offers of the model if the caller’s text has none', () => {
    const answer = `Sure! Here is the rewritten text:\n\n${TEXT}\n\nFeel free to adjust it.`;
    expect(cleanAnswer(answer, 'We met one another on Tuesday.\n\nIt was a success.')).toBe(TEXT);
    const list = 'To buy:\n- milk';
    expect(cleanAnswer(`Here is the text:\n\n${list}`, 'Shopping list:\n- milk')).toBe(list);
    const letter = 'Dear Bob,\n\nI will be late.';
    expect(cleanAnswer(`Sure!\n\n${letter}`, 'Dear Bob,\n\nI shall be late.')).toBe(letter);
  });

  it('nothing that the caller’s own text contains', () => {
    expect(cleanAnswer('"Quoted."', '"Quoted text."')).toBe('"Quoted."');
    const listing = 'Here are the blocks:\n\n1. One';
    expect(cleanAnswer(listing, `${listing}\n2. Two`)).toBe(listing);
    const letter = 'Hello.\nLet me know if it suits you.';
    expect(cleanAnswer(letter, `Dear all,\nLet me know if it suits you.`)).toBe(letter);
  });
});
