import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { decodeJwt } from './decode_jwt.ts';
import { decodeJwtHere } from './in-browser.ts';

const segment = (value: unknown) =>
  new TextEncoder()
    .encode(typeof value === 'string' ? value : JSON.stringify(value))
    .toBase64({ alphabet: 'base64url', omitPadding: true });

const jwt = (payload: unknown, header: unknown = { alg: 'HS256' }, signature = 'c2ln') =>
  `${segment(header)}.${segment(payload)}.${signature}`;

const decode = async (token: unknown) => (await runTool(decodeJwt, { token })).value;

const refusal = (part: string) => ({
  status: 400,
  param: 'token',
  message: expect.stringContaining(part),
});

describe('decode_jwt', () => {
  it('decodes the example of RFC 7519 §3.1', async () => {
    const token =
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    expect(await decode(token)).toEqual({
      header: { typ: 'JWT', alg: 'HS256' },
      payload: { iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true },
      signatureVerified: false,
      note: 'The signature was not verified: anyone could have created this token.',
      expiresAt: '2011-03-22T18:43:00.000Z',
      isExpired: true,
    });
  });

  it('trims surrounding whitespace', async () => {
    expect((await decode(` \n${jwt({ a: 1 })}\t`)).payload).toEqual({ a: 1 });
  });

  it('rejects a Bearer prefix and says to remove it', async () => {
    for (const prefix of ['Bearer ', 'bearer  ', 'BEARER\t']) {
      await expect(decode(prefix + jwt({}))).rejects.toMatchObject(refusal('Send only the token'));
    }
  });

  it('rejects anything without exactly three segments', async () => {
    const token = jwt({});
    for (const text of ['', 'abc', 'a.b', `${token}.x`, `${token}..`, '.'.repeat(100_000)]) {
      await expect(decode(text)).rejects.toMatchObject(refusal('three segments'));
    }
  });

  it('rejects an empty header or payload', async () => {
    await expect(decode('..')).rejects.toMatchObject(refusal('header'));
    await expect(decode(`${segment({})}..`)).rejects.toMatchObject(refusal('payload'));
  });

  it('rejects text that is not base64url: padding, + and /, whitespace, stray bits', async () => {
    const good = segment({});
    for (const bad of ['e30=', 'e3+', 'e3/', 'e 30', 'e31', 'e3']) {
      await expect(decode(`${bad}.${good}.`)).rejects.toMatchObject({ status: 400 });
      await expect(decode(`${good}.${bad}.`)).rejects.toMatchObject({ status: 400 });
    }
    await expect(decode(`${good}.${good}.a+b/`)).rejects.toMatchObject(refusal('signature'));
  });

  it('decodes a token with a malformed signature and notes it', async () => {
    for (const signature of ['signature', 'ab', 'x']) {
      const { payload, note } = await decode(jwt({ a: 1 }, { alg: 'HS256' }, signature));
      expect(payload).toEqual({ a: 1 });
      expect(note).toContain('not a valid signature');
    }
    expect((await decode(jwt({}))).note).not.toContain('encoder');
    for (const signature of ['a=', 'a b', '!!', 'é']) {
      await expect(decode(jwt({}, {}, signature))).rejects.toMatchObject(refusal('signature'));
    }
  });

  it('rejects a header or payload that is not a JSON object in UTF-8', async () => {
    for (const bad of ['[]', '1', 'null', '"a"', '{', '', '\ufeff{}']) {
      await expect(decode(jwt(bad))).rejects.toMatchObject({ status: 400, param: 'token' });
      await expect(decode(jwt({}, bad))).rejects.toMatchObject({ status: 400, param: 'token' });
    }
    await expect(decode(`${segment({})}._w.`)).rejects.toMatchObject(refusal('not UTF-8'));
  });

  it('always reports that the signature was not verified', async () => {
    expect((await decode(jwt({}))).signatureVerified).toBe(false);
    expect((await decode(jwt({}, { alg: 'none' }, ''))).signatureVerified).toBe(false);
  });

  it('accepts an empty signature segment and notes that the token is unsecured', async () => {
    const { note } = await decode(jwt({}, { alg: 'none' }, ''));
    expect(note).toBe(
      'This token is unsecured: its third segment is empty, so it has no signature and anyone could have created it.',
    );
  });

  it('notes an algorithm that contradicts the signature', async () => {
    expect((await decode(jwt({}, { alg: 'HS256' }, ''))).note).toContain('should have alg "none"');
    expect((await decode(jwt({}, { alg: 'none' }))).note).toContain('but there is a signature');
  });

  it('returns no expiry without an exp claim', async () => {
    expect(await decode(jwt({}))).toMatchObject({ expiresAt: null, isExpired: null });
  });

  it('distinguishes expired from valid tokens', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await decode(jwt({ exp: now + 60 }))).toMatchObject({ isExpired: false });
    expect(await decode(jwt({ exp: now - 60 }))).toMatchObject({ isExpired: true });
  });

  it('accepts fractions of a second', async () => {
    expect(await decode(jwt({ exp: 1.5 }))).toMatchObject({
      expiresAt: '1970-01-01T00:00:01.500Z',
    });
  });

  it('returns no expiry, but a note, if exp is not a finite number', async () => {
    for (const exp of ['"1300819380"', 'null', '{}', '1e999', 'true']) {
      const value = await decode(jwt(`{"exp":${exp}}`));
      expect(value).toMatchObject({ expiresAt: null, isExpired: null });
      expect(value.note).toContain('not a number');
    }
  });

  it('returns no date if exp exceeds the range of dates', async () => {
    expect(await decode(jwt({ exp: 1e300 }))).toMatchObject({ expiresAt: null, isExpired: false });
    expect(await decode(jwt({ exp: -1e300 }))).toMatchObject({ expiresAt: null, isExpired: true });
  });

  it('returns a __proto__ claim like any other claim', async () => {
    const { payload } = await decode(jwt('{"__proto__":{"admin":true}}'));
    expect(JSON.stringify(payload)).toBe('{"__proto__":{"admin":true}}');
  });

  it('rejects claims that are nested too deep', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    await expect(decode(jwt(deep))).rejects.toMatchObject(refusal('nested deeper'));
  });

  it('rejects an object with too many claims to list quickly', async () => {
    const claims = Array.from({ length: 10_001 }, (_, index) => `"claim${index}":1`);
    await expect(decode(jwt(`{${claims.join()}}`))).rejects.toMatchObject({ status: 413 });
  });

  it('rejects a missing token', async () => {
    await expect(decode(undefined)).rejects.toMatchObject({ status: 400, param: 'token' });
  });

  it('notes a token that is not valid yet, and an expiry in milliseconds', async () => {
    expect((await decode(jwt({ nbf: 4e9 }))).note).toMatch(/The token is not valid yet\.$/);
    expect((await decode(jwt({ nbf: 1e9 }))).note).not.toContain('not valid yet');
    expect((await decode(jwt({ exp: 1_893_456_000_000 }))).note).toMatch(/looks like milliseconds/);
    expect((await decode(jwt({ exp: 1_893_456_000 }))).note).not.toContain('milliseconds');
  });

  it('warns of numbers that are rounded', async () => {
    const { warnings } = await runTool(decodeJwt, { token: jwt('{"id":12345678901234567890}') });
    expect(warnings).toEqual([expect.stringContaining('A number in the payload is beyond')]);
    const exact = jwt({ id: 2 ** 53 - 1, share: 0.1 });
    expect((await runTool(decodeJwt, { token: exact })).warnings).toEqual([]);
  });

  it('accepts a header, quotes and line breaks around the token in its page', async () => {
    const token = jwt({ sub: 'ann' });
    const lines = token.replaceAll('.', '.\n  ');
    for (const text of [
      `Bearer ${token}`,
      `Authorization: bearer ${token}`,
      `"Authorization": "Bearer ${token}"`,
      `"${token}"`,
      lines,
    ])
      expect((await runTool(decodeJwtHere, { token: text })).value.payload).toEqual({ sub: 'ann' });
  });

  describe('in its page, with a key', () => {
    const SECRET = 'a-secret-that-has-more-than-32-bytes';
    const signed = (alg: string, key: CryptoKey | Uint8Array, kid?: string) =>
      new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg, kid }).sign(key);
    const check = async (token: string, key: string) =>
      (await runTool(decodeJwtHere, { token, key })).value;
    const bytes = (text: string) => new TextEncoder().encode(text);

    it('verifies an HMAC with a secret, and with one in Base64', async () => {
      const token = await signed('HS256', bytes(SECRET));
      for (const key of [SECRET, bytes(SECRET).toBase64(), ` ${SECRET}\n`]) {
        const { signatureVerified, note, signature } = await check(token, key);
        expect({ signatureVerified, note }).toEqual({ signatureVerified: true, note: '' });
        expect(signature).toMatchObject({ outcome: 'valid' });
      }
    });

    it('reports a wrong secret and a changed token', async () => {
      const token = await signed('HS512', bytes(SECRET));
      const [header, , signature] = token.split('.');
      const changed = `${header}.${segment({ sub: 'bob' })}.${signature}`;
      for (const [given, key] of [
        [token, 'another'],
        [changed, SECRET],
      ] as const) {
        const value = await check(given, key);
        expect(value.signature).toMatchObject({ outcome: 'invalid' });
        expect(value).toMatchObject({ signatureVerified: false, note: '' });
      }
    });

    it.each(['RS256', 'PS384', 'ES256', 'EdDSA'])(
      'verifies %s with a public key in PEM, as a JWK and as a JWK set',
      async (alg) => {
        const pair = await generateKeyPair(alg, { extractable: true });
        const other = await exportJWK((await generateKeyPair(alg)).publicKey);
        const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1' };
        const token = await signed(alg, pair.privateKey, 'k1');
        const set = { keys: [{ ...other, kid: 'k0' }, jwk] };
        for (const key of [
          await exportSPKI(pair.publicKey),
          JSON.stringify(jwk),
          JSON.stringify(set),
        ])
          expect((await check(token, key)).signature).toMatchObject({ outcome: 'valid' });
        expect((await check(token, JSON.stringify(other))).signature).toMatchObject({
          outcome: 'invalid',
        });
      },
    );

    it('warns if the token names a different key than the one that fits', async () => {
      const key = JSON.stringify({ kty: 'oct', kid: 'b', k: btoa(SECRET).replaceAll('=', '') });
      const signature = async (kid: string) =>
        (await check(await signed('HS256', bytes(SECRET), kid), key)).signature;
      expect(await signature('b')).toMatchObject({
        message: 'The signature is valid for the key b.',
      });
      expect(await signature('zz')).toMatchObject({
        outcome: 'valid',
        message: expect.stringContaining('the token names the key zz'),
      });
    });

    it('never uses a public key as a secret, nor a secret as a public key', async () => {
      const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
      const pem = await exportSPKI(publicKey);
      const confused = await signed('HS256', bytes(pem));
      const answer = await check(confused, pem);
      expect(answer.signature).toMatchObject({
        outcome: 'unknown',
        message: expect.stringContaining('needs a secret'),
      });
      const token = await signed('RS256', privateKey);
      for (const [key, message] of [
        [SECRET, 'needs a public key'],
        [await exportPKCS8(privateKey), 'a private key'],
        ['{"kty":', 'not valid JSON'],
        ['{"kty":"oct","k":"AAAA"}', 'The input has no key for'],
        ['-----BEGIN PUBLIC KEY-----\nAAAA', 'damaged or does not suit'],
      ] as const)
        expect((await check(token, key)).signature).toMatchObject({
          outcome: 'unknown',
          message: expect.stringContaining(message),
        });
      const unsigned = await check(jwt({}, { alg: 'none' }, ''), SECRET);
      expect(unsigned.signature).toMatchObject({ outcome: 'unknown' });
    });
  });
});
