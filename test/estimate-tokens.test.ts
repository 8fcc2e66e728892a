import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { withinTokens } from '../src/adapters/within-tokens.ts';
import { estimateTokens } from '../src/core/estimate-tokens.ts';
import { capValue } from '../src/mcp/cap-value.ts';

const SAMPLES: [string, string][] = [
  ['prose', readFileSync('docs/architecture.md', 'utf8')],
  ['code', readFileSync('src/access/admission.ts', 'utf8')],
  ['JSON', readFileSync('package.json', 'utf8')],
  ['Base64', randomBytes(9000).toString('base64')],
  ['German', 'Donaudampfschifffahrt und Rechtsschutzversicherungen lohnen sich. '.repeat(100)],
  ['Russian', 'Быстрая коричневая лиса прыгает через ленивую собаку. '.repeat(100)],
];

describe('an estimate of tokens', () => {
  it.each(SAMPLES)('is within a third of the o200k count: %s', (_, text) => {
    const ratio = estimateTokens(text, Number.POSITIVE_INFINITY).tokens / encode(text).length;
    expect(ratio).toBeGreaterThan(2 / 3);
    expect(ratio).toBeLessThan(4 / 3);
  });

  it('is too high rather than too low for a language without spaces', () => {
    const text = '人工智能正在改变世界各地的人们工作和学习的方式。'.repeat(50);
    const ratio = estimateTokens(text, Number.POSITIVE_INFINITY).tokens / encode(text).length;
    expect(ratio).toBeGreaterThan(1);
    expect(ratio).toBeLessThan(2);
  });

  it('reports where the limit is reached', () => {
    const { tokens, end } = estimateTokens('one two three four', 2);
    expect([tokens, end]).toEqual([2, 'one two'.length]);
  });
});

describe('a text cut to a token limit', () => {
  const PROSE = readFileSync('docs/adr/0019-model-adapters.md', 'utf8');
  const SQL = readFileSync('migrations/accounts/0006_content.sql', 'utf8');
  const NAMES =
    'SELECT o.order_id, c.customer_full_name, SUM(oi.unit_price_cents) AS total_amount_cents FROM sales_orders o JOIN order_items oi ON oi.order_id = o.order_id WHERE o.created_at_utc >= 20240101 GROUP BY o.order_id; ';
  const JAPANESE =
    'コンピューターのデータセンターでエラーが発生しましたので、サーバーのメンテナンスを行います。ユーザーの皆様にはご迷惑をおかけします。';
  const GERMAN =
    'Hiermit möchten wir Ihnen mitteilen, dass die Lieferung erst in der kommenden Woche erfolgen kann. Wir bitten um Entschuldigung für die entstandenen Unannehmlichkeiten und bedanken uns für Ihr Verständnis. ';
  const RUSSIAN =
    'Уважаемые коллеги, сообщаем вам, что собрание состоится в следующий понедельник в десять часов утра. Просим всех подготовить отчёты о проделанной работе. ';

  it.each<[string, string, number]>([
    ['prose', PROSE, 1.2],
    ['SQL', SQL, 1.3],
    ['SQL of names alone', NAMES.repeat(20), 1.15],
    ['Japanese', JAPANESE.repeat(40), 1.5],
    ['German', GERMAN.repeat(20), 1.35],
    ['Russian', RUSSIAN.repeat(20), 1.5],
  ])('has about as many tokens by o200k, and is unchanged if it has fewer: %s', (_, text, over) => {
    const count = encode(text).length;
    expect(encode(withinTokens(text, 400)).length).toBeLessThan(400 * over);
    expect(withinTokens(text, count)).toBe(text);
  });
});

describe('a capped value', () => {
  it('is the value itself if that is short', () => {
    const value = { a: 'b', c: [1, null, true], d: { e: 'f' } };
    expect(capValue(value, 100)).toEqual({ value, truncated: false });
  });

  it('keeps short fields complete and in order, and cuts long ones', () => {
    const { value, truncated } = capValue(
      { text: 'word '.repeat(5000), metadata: { pages: 9 }, confidence: 0.9 },
      300,
    );
    expect(truncated).toBe(true);
    expect(Object.keys(value)).toEqual(['text', 'metadata', 'confidence']);
    expect(value).toMatchObject({ metadata: { pages: 9 }, confidence: 0.9 });
    expect((value.text as string).length).toBeLessThan(1600);
  });

  it('splits no character, and keeps many empty values within the limit', () => {
    const { value } = capValue({ text: '🎉'.repeat(5000) }, 100);
    expect((value.text as string).isWellFormed()).toBe(true);
    const { value: lists } = capValue({ list: Array.from({ length: 10_000 }, () => []) }, 1000);
    expect((lists.list as unknown[]).length).toBeLessThan(500);
  });
});
