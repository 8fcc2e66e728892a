/** Finds a page's advertisements and cookie banners with the media worker's filter lists. */
import { MEDIA_HEADERS } from '../core/media-headers.ts';
import { answerOf, errorOfResponse } from './media-client.ts';
import type { SendToMedia } from './media-fleet.ts';

export interface PageRequest {
  url: string;
  /** The resource type in the DevTools protocol, such as `Image`. */
  type: string;
  /** The URL of the requesting page. */
  page: string;
}

export interface PageElements {
  page: string;
  ids: string[];
  classes: string[];
}

/** Queries the media worker's filter lists. Methods throw 503 if the media worker has no lists or does not respond. */
export class Advertisements {
  readonly #send: SendToMedia;
  readonly #secret: string;

  constructor(send: SendToMedia, secret: string) {
    this.#send = send;
    this.#secret = secret;
  }

  /** Whether the request matches the filter lists. */
  async includes(request: PageRequest, signal: AbortSignal): Promise<boolean> {
    return (await this.#request<{ blocked: boolean }>('request', request, signal)).blocked;
  }

  /** Returns a style sheet that hides the page elements matched by the filter lists. */
  async styleFor(elements: PageElements, signal: AbortSignal): Promise<string> {
    return (await this.#request<{ css: string }>('elements', elements, signal)).css;
  }

  async #request<T>(question: string, about: unknown, signal: AbortSignal): Promise<T> {
    const sent = this.#send(`/advertisements/${question}`, {
      method: 'POST',
      body: JSON.stringify(about),
      signal,
      headers: { [MEDIA_HEADERS.secret]: this.#secret },
    });
    const response = await answerOf(sent, signal);
    if (!response.ok) throw await errorOfResponse(response);
    return response.json<T>();
  }
}
