import { expect, it } from 'vitest';
import { SIGN_IN } from '../../../access/advice.ts';
import { errorIn } from './api.ts';

it('an error has the message for people and the status of the response', async () => {
  const error = await errorIn(Response.json({ error: SIGN_IN.programs }, { status: 429 }));
  expect(error).toMatchObject({ message: SIGN_IN.people, status: 429 });
});

it('an error of a proxy, which is a page, has the status as its message', async () => {
  const page = new Response('<h1>Bad Gateway</h1>', {
    status: 502,
    headers: { 'Content-Type': 'text/html' },
  });
  const message = 'The service returned status 502. Try again.';
  expect(await errorIn(page)).toMatchObject({ message, status: 502 });
});
