/** Decodes a JWT in the browser. Also accepts a token copied with its header name, scheme or quotes. */
import { defineTool } from '../../core/define-tool.ts';
import { decodeJwt } from './decode_jwt.ts';

export const decodeJwtHere = defineTool({
  ...decodeJwt,
  run: ({ token }, context) => decodeJwt.run!({ token: bareToken(token) }, context, undefined),
});

/** Removes the name of the header, the scheme, quotes and white space. */
const bareToken = (text: string): string =>
  text
    .replace(/[\s"']/g, ' ')
    .trim()
    .replace(/^(authorization *: *)?bearer /i, '')
    .replaceAll(' ', '');
