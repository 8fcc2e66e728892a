import { describe, expect, it } from 'vitest';
import { whyNoPage } from './page-answer.ts';

const why = (headers: Record<string, string>, status = 200) =>
  whyNoPage(status, new Headers(headers));

describe('whyNoPage', () => {
  it('returns undefined for content that a browser displays or embeds', () => {
    const types = ['text/html', 'TEXT/HTML; charset=x', 'application/xhtml+xml', 'image/png'];
    for (const type of [
      ...types,
      'application/json',
      'application/rss+xml',
      'text/plain',
      'html',
    ]) {
      expect(why({ 'Content-Type': type })).toBeUndefined();
    }
    expect(why({})).toBeUndefined();
    expect(why({ 'Content-Disposition': 'inline' })).toBeUndefined();
    expect(why({ 'Content-Type': 'application/zip', Location: '/' }, 302)).toBeUndefined();
  });

  it('returns an error for downloads and empty responses', () => {
    expect(why({ 'Content-Type': 'application/pdf' })).toMatchObject({
      status: 400,
      message: expect.stringMatching(/application\/pdf/),
    });
    expect(why({ 'Content-Type': 'text/html', 'Content-Disposition': 'Attachment' })).toMatchObject(
      {
        status: 400,
      },
    );
    expect(why({ 'Content-Type': 'text/html' }, 204)).toMatchObject({ status: 502 });
  });
});
