/** Defines the ports that tools use. They are independent of the back ends, and adapters implement them. */
import type { Caller } from './caller.ts';
import type { InputFile } from './input-file.ts';
import type { ModelsPort } from './models-port.ts';
import type { Reason } from './moderation.ts';

/** A file in our storage, with the properties that callers receive. */
export interface StoredFile {
  id: string;
  url: string;
  filename: string;
  contentType: string;
  /** The size in bytes. */
  size: number;
  /** The time until which the link works, as ISO 8601. */
  expiresAt: string;
  /**
   * The token that deletes the file before it expires (DELETE on its link). It is not stored, so it cannot be shown
   * again.
   */
  deleteToken: string;
}

/** A stored file as it is served. */
export interface StoredObject {
  /** The size of the whole file in bytes. */
  size: number;
  filename: string | undefined;
  contentType: string | undefined;
  httpEtag: string;
  uploaded: Date;
  /** The reason for the removal, if an operator deleted the bytes. The other fields are then meaningless. */
  removed?: Reason | undefined;
}

export interface StoreOptions {
  filename: string;
  contentType: string;
  /** The lifetime of the link in seconds. */
  lifeSeconds: number;
  /** The caller whose storage quota is charged. */
  caller: Caller;
  /** Compresses the stored bytes, which must fit in memory. Links serve the original bytes. */
  compress?: boolean;
}

/** Our file storage. It stores bytes under an unguessable link that expires. */
export interface StoragePort {
  /**
   * Stores a body and returns its link. A stream of unknown size is buffered and charged one part at a time. Throws 429
   * if the caller's quota is used up, and 503 if the service is full. In both cases nothing remains stored.
   */
  store(
    body: Uint8Array | { stream: ReadableStream<Uint8Array>; size: number | undefined },
    options: StoreOptions,
  ): Promise<StoredFile>;
  /**
   * Stores an input file unchanged. A large upload is already in storage, and is not copied if the options match those
   * with which it was stored.
   */
  keep(file: InputFile, options: StoreOptions): Promise<StoredFile>;
  /**
   * Builds the link to a stored file from its ID and name. Save IDs instead of links, because the service's URL may
   * change.
   */
  linkTo(id: string, filename: string): string;
  /**
   * Returns the expiry of the file to which a link points, in milliseconds since the epoch. Returns null if the link is
   * not to a file in our storage.
   */
  expiryOf(link: string): number | null;
  /** Whether a link points to our storage, even if the file does not exist. */
  isOurs(link: string): boolean;
  /**
   * Opens the stored file that a link points to. Throws 400 with `param` if the link is not ours, is unknown or has
   * expired.
   */
  open(link: string, param: string): Promise<InputFile>;
  /** Opens a stored file by its ID. Throws 400 with `param` if the ID is unknown or the file has expired. */
  openById(id: string, param: string): Promise<InputFile>;
  /** Deletes stored files before they expire. Unknown IDs are ignored. */
  remove(ids: readonly string[]): Promise<void>;
}

/** An upload that is written to storage as it arrives. It is deleted after its request, unless a tool stores it. */
export interface Spool {
  write(chunk: Uint8Array): Promise<void>;
  finish(name: string, declaredType: string | undefined): Promise<SpooledFile>;
  abort(): Promise<void>;
}

export interface SpooledFile extends InputFile {
  spool: {
    id: string;
    deleteToken: string;
    filename: string;
    contentType: string;
    /** Whether the stored object contains only the file. */
    exact: boolean;
    stored: boolean;
  };
}

/** Accepts uploads of any size for a surface. Tools do not have access to this port. */
export interface SpoolPort {
  /**
   * Begins an upload. A stored file is later served with `contentType` and `filename`. `atMost` is the number of bytes
   * that remain in the request's body, if known.
   */
  spool(options: { filename: string; contentType: string }, atMost: number | undefined): Spool;
  /** Deletes a spooled file that was not stored. */
  discard(file: SpooledFile): Promise<void>;
}

/** Permanent short links, which redirect from a code to a URL. */
export interface LinksPort {
  /** Creates a short link. Returns false if the code is taken. */
  create(code: string, url: string, caller: Caller): Promise<boolean>;
  /** Returns the short link for a code. */
  shortUrl(code: string): string;
  /** Whether a URL is one of our short links. A short link to such a URL would create a loop. */
  leadsHere(url: URL): boolean;
}

export interface MediaResult {
  body: ReadableStream<Uint8Array>;
  contentType: string;
  /** The size in bytes, if the worker knew it before it sent the bytes. */
  size: number | undefined;
  /** The metadata that the operation reports with the bytes. */
  meta: Record<string, unknown>;
}

/**
 * The media worker, which runs named operations on files with native programs. Throws the operation's ToolError, or 503
 * if the worker is absent, saturated or stopped.
 */
export interface MediaPort {
  run(
    operation: string,
    params: Record<string, unknown>,
    files: readonly InputFile[],
    signal: AbortSignal,
    /** Receives the progress from 0 to 1 and the current step, if the operation reports its progress. */
    progress?: (fraction: number, message?: string) => void,
  ): Promise<MediaResult>;
}

/**
 * A cache of bytes that can be recreated. An entry is dropped at the end of its lifetime or earlier. The cache never
 * throws. If it fails, it returns null.
 */
export interface CachePort {
  get(key: string): Promise<Uint8Array | null>;
  /** Stores the bytes. If this isolate has an unexpired entry for the key in memory, does nothing. */
  put(key: string, bytes: Uint8Array, lifeSeconds: number): Promise<void>;
}

export interface EgressRequest {
  url: URL;
  /** The method. Default: GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** The object that groups requests, such as those of one capture. Host names are resolved once per group. */
  within?: object;
}

export interface EgressResponse {
  status: number;
  headers: Headers;
  /** The decompressed body, or null if the response has none. */
  body: ReadableStream<Uint8Array> | null;
}

/**
 * Sends outbound requests through the address guard. This port is the only way for tools to reach an address that a
 * caller specified.
 */
export interface EgressPort {
  /** The value of our `User-Agent` header. */
  agent: string;
  /**
   * Makes one HTTP exchange with a public address. Redirects are returned as responses. Cookies and credentials are not
   * stored. Throws a ToolError: 400 if the address is not public, 502 if it does not resolve or does not respond, 503
   * if name resolution fails.
   */
  exchange(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse>;
}

/** Caches results by request. */
export interface ResultsPort {
  /**
   * Returns the result that `make` returned for `key` within the last `lifeSeconds`. Otherwise calls `make`. Within an
   * isolate, concurrent calls with the same key share one call to `make`. `make` can call `look` to get the result of
   * another isolate that has finished. Failures are not cached.
   */
  remember<T>(
    key: readonly unknown[],
    lifeSeconds: number | ((value: T) => number),
    signal: AbortSignal,
    make: (look: () => Promise<T | null>) => Promise<T>,
  ): Promise<{ value: T; cached: boolean }>;
}

/** A favicon service, for sites whose own icon was not found. */
export interface FaviconsPort {
  /** Returns the URL of the favicon of `host`, or undefined if no such service is configured. */
  addressFor(host: string): string | undefined;
  fetch(address: string, signal: AbortSignal): Promise<Uint8Array>;
}

export interface CaptureOptions {
  /** The width of the viewport in CSS pixels. */
  width: number;
  height: number;
  fullPage: boolean;
  format: 'webp' | 'png' | 'jpeg';
  /** Prints the page instead of capturing an image. */
  output?: 'pdf';
  darkMode: boolean;
  delayMs: number;
  /** The number of device pixels per CSS pixel. */
  scale: number;
  /** The CSS selector of the element to capture. */
  selector?: string;
  waitFor?: string;
  hideSelectors: readonly string[];
  /** Whether advertisements and cookie banners are removed. */
  blockAds?: boolean;
}

interface Size {
  width: number;
  height: number;
}

/** The captured part of a page or element that exceeds the size limit. Lengths are in CSS pixels. */
export interface Cut {
  drawn: Size;
  whole: Size;
}

export interface Capture {
  /** The bytes of the image or the PDF. */
  content: Uint8Array;
  /** The captured part. Set if the page or the element exceeds the size limit of an image. */
  cut?: Cut;
  /** The number of pages in the PDF. Set if the document has more. */
  cutPages?: number;
}

/** Captures pages in a browser whose only network access is through the address guard. */
export interface BrowserPort {
  isOn: boolean;
  /**
   * Returns the URL of the page's thumbnail at a thumbnail service. Returns undefined if no such service is configured.
   */
  fallbackFor(url: string, width: number): string | undefined;
  /**
   * Captures the page in one of the browsers' slots. A caller may use two slots at a time. Throws a ToolError: 400 if
   * the page is not public or an option does not fit it, 502 if it cannot be rendered, 503 if all browsers are busy. An
   * error whose `param` is `url` was caused by the page. A capture that waited for a slot calls `isDrawn`, and returns
   * null if `isDrawn` returns true.
   */
  capture(
    url: URL,
    options: CaptureOptions,
    caller: Caller,
    signal: AbortSignal,
    isDrawn: () => Promise<boolean>,
  ): Promise<Capture | null>;
}

export interface Ports {
  storage: StoragePort;
  egress: EgressPort;
  results: ResultsPort;
  favicons: FaviconsPort;
  browser: BrowserPort;
  media: MediaPort;
  links: LinksPort;
  models: ModelsPort;
  cache: CachePort;
}

export type PortName = keyof Ports;
