import { expect, it } from 'vitest';
import { SIGN_IN } from '../../../access/advice.ts';
import { errorIn } from './api.ts';

it('an error has the message for people and the status of the response', async () => {
  const error = await errorIn(Response.json({ error: SIGN_IN.programs }, { status: 429 }));
  expect(error).toMatchObject({ message: SIGN_IN.people, status: 429 });
});

it.each([
  ['a page', 'text/html', '<h1>Bad Gateway</h1>'],
  ['other JSON', 'application/problem+json', '{"title":"Bad Gateway"}'],
  ['cut JSON', 'application/json', '{"error":"Bad'],
])('an error of a proxy, which is %s, has the status as its message', async (_, type, body) => {
  const response = new Response(body, { status: 502, headers: { 'Content-Type': type } });
  const message = 'The service returned status 502. Try again.';
  expect(await errorIn(response)).toMatchObject({ message, status: 502 });
});
