/** Sends guarded requests through the media worker, which connects only to the addresses that it has checked. */
import { upstreamFailed } from '../core/errors.ts';
import { MEDIA_HEADERS } from '../core/media-headers.ts';
import type { EgressPort, EgressRequest, EgressResponse } from '../core/ports.ts';
import { answerOf, errorOfResponse, requestHeaders } from './media-client.ts';
import type { SendToMedia } from './media-fleet.ts';

interface UpstreamAnswer {
  status: number;
  headers: [string, string][];
}

export class MediaEgress implements EgressPort {
  readonly agent: string;
  readonly #send: SendToMedia;
  readonly #secret: string;

  constructor(agent: string, send: SendToMedia, secret: string) {
    this.agent = agent;
    this.#send = send;
    this.#secret = secret;
  }

  async exchange(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const { url, method = 'GET', headers = {}, body } = request;
    const sent = this.#send('/fetch', {
      method: 'POST',
      body: JSON.stringify({ url: url.href, method, headers, body: body?.toBase64() }),
      signal,
      isUnsafe: !['GET', 'HEAD'].includes(method),
      headers: { [MEDIA_HEADERS.secret]: this.#secret, ...requestHeaders() },
    });
    const response = await answerOf(sent, signal);
    const described = response.headers.get(MEDIA_HEADERS.fetched);
    if (!response.ok || !described) throw await errorOfResponse(response);
    const bytes = Uint8Array.fromBase64(described, { alphabet: 'base64url' });
    const answer = JSON.parse(new TextDecoder().decode(bytes)) as UpstreamAnswer;
    return { status: answer.status, headers: asHeaders(answer.headers), body: response.body };
  }
}

/** Escapes non-ASCII bytes as browsers do, because many servers send unescaped URLs in headers. */
const asAddress = (value: string) =>
  value.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** Throws 502 if a header field is malformed. */
function asHeaders(pairs: [string, string][]): Headers {
  try {
    return new Headers(
      pairs.map(([name, value]) => [name, name === 'location' ? asAddress(value) : value]),
    );
  } catch (error) {
    throw upstreamFailed('The response from the URL has malformed headers.', error);
  }
}
