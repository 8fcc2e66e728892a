/** What a tool may ask for, said without naming who does it. Adapters say with what. */
import type { Caller } from './caller.ts';
import type { InputFile } from './input-file.ts';
import type { ModelsPort } from './models-port.ts';

/** A file in our own storage, as a caller sees it. */
export interface StoredFile {
  id: string;
  url: string;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number;
}

/** A stored file as it is served. */
export interface StoredObject {
  /** Bytes of the whole file. */
  size: number;
  filename: string | undefined;
  contentType: string | undefined;
  httpEtag: string;
  uploaded: Date;
}

export interface StoreOptions {
  filename: string;
  contentType: string;
  /** How long the link lives, in seconds. */
  lifeSeconds: number;
  /** Whose quota of stored bytes is charged. */
  caller: Caller;
  /** Stores the bytes compressed; they must fit in memory. Links serve the original bytes. */
  compress?: boolean;
}

/** Our own storage: bytes under an unguessable link with an end. */
export interface StoragePort {
  /**
   * Stores a body and returns its link. A stream of unknown size takes memory for a part of it. Throws 429 if the
   * caller's quota is spent and 503 if the service is full, before anything is written.
   */
  store(
    body: Uint8Array | { stream: ReadableStream<Uint8Array>; size: number | undefined },
    options: StoreOptions,
  ): Promise<StoredFile>;
  /** Stores an input file as it is; without moving its bytes where they are in storage already. */
  keep(file: InputFile, options: StoreOptions): Promise<StoredFile>;
  /** The link of a stored file, from what of it may be kept: addresses may change, ids do not. */
  linkTo(id: string, filename: string): string;
  /** Whether a link leads to our own storage, whatever it names there. */
  isOurs(link: string): boolean;
  /** Opens a stored link. Throws 400 naming `param` where it is not one of ours, is unknown or has expired. */
  open(link: string, param: string): Promise<InputFile>;
  /** As `open`, by the id: what is kept of a file over time, since addresses change. */
  openById(id: string, param: string): Promise<InputFile>;
  /** Deletes stored files before their end; what is not there is no error. */
  remove(ids: readonly string[]): Promise<void>;
}

/** An upload that goes to storage while it comes in: gone after its request, unless it is kept. */
export interface Spool {
  write(chunk: Uint8Array): Promise<void>;
  finish(name: string, declaredType: string | undefined): Promise<SpooledFile>;
  abort(): Promise<void>;
}

export interface SpooledFile extends InputFile {
  spool: {
    id: string;
    filename: string;
    contentType: string;
    /** Whether the stored object is the file and nothing more. */
    exact: boolean;
    stored: boolean;
  };
}

/** What a door needs to take uploads of any size; tools do not see it. */
export interface SpoolPort {
  /**
   * Begins an upload. `contentType` and `filename` are those it would be served with; `atMost` is how many bytes
   * the request's body still has, where that is known.
   */
  spool(options: { filename: string; contentType: string }, atMost: number | undefined): Spool;
  /** Removes a spooled file that was not kept. */
  discard(file: SpooledFile): Promise<void>;
}

/** Short links: codes that lead to addresses, for ever. */
export interface LinksPort {
  /** Binds a code to an address; false where the code is taken. */
  create(code: string, url: string): Promise<boolean>;
  /** The link that a code makes. */
  shortUrl(code: string): string;
  /** Whether an address is itself one of our short links: a loop. */
  leadsHere(url: URL): boolean;
}

export interface MediaResult {
  body: ReadableStream<Uint8Array>;
  contentType: string;
  /** Bytes, where the worker knew before sending. */
  size: number | undefined;
  /** What the operation reports beside the bytes. */
  meta: Record<string, unknown>;
}

/**
 * The media worker: named operations over files, by native programs.
 * Throws a ToolError: what the operation reports, or 503 when the worker is absent, saturated or gone.
 */
export interface MediaPort {
  run(
    operation: string,
    params: Record<string, unknown>,
    files: readonly InputFile[],
    signal: AbortSignal,
    /** Hears how much is done, from 0 to 1, where the operation tells. */
    progress?: (fraction: number) => void,
  ): Promise<MediaResult>;
}

/** Bytes that may be made again: gone after their life, or sooner. It never throws: a broken cache is an empty one. */
export interface CachePort {
  get(key: string): Promise<Uint8Array | null>;
  /** Keeps the bytes, unless there are some under this key that still live. */
  put(key: string, bytes: Uint8Array, lifeSeconds: number): Promise<void>;
}

export interface EgressRequest {
  url: URL;
  /** GET where absent. */
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** What the exchange is a part of, as a capture with its many requests: in it a name may be resolved once for all. */
  within?: object;
}

export interface EgressResponse {
  status: number;
  headers: Headers;
  /** Decompressed; null where the answer has none. */
  body: ReadableStream<Uint8Array> | null;
}

/** The guarded way out: the only way to an address that a caller named. */
export interface EgressPort {
  /** What we call ourselves out there. */
  agent: string;
  /**
   * One HTTP exchange with a public address. Redirects come back as they are; cookies and credentials are not kept.
   * Throws ToolError: 400 where the address is not public, 502 where it does not resolve or answer.
   */
  exchange(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse>;
}

/** Results that are kept for a while, found again by an identical request. */
export interface ResultsPort {
  /**
   * What `make` gave for `key` within the last `lifeSeconds`, or what it gives now. Of calls for the same key at the
   * same moment one makes it, and the others wait. Failures are not kept.
   */
  remember<T>(
    key: readonly unknown[],
    lifeSeconds: number,
    signal: AbortSignal,
    make: () => Promise<T>,
  ): Promise<{ value: T; cached: boolean }>;
}

/** Another service's favicons, for sites that have none to be found. */
export interface FaviconsPort {
  /** Where the favicon of `host` would be; undefined where no such service is configured. */
  addressFor(host: string): string | undefined;
  fetch(address: string, signal: AbortSignal): Promise<Uint8Array>;
}

export interface CaptureOptions {
  /** CSS pixels of the viewport. */
  width: number;
  height: number;
  fullPage: boolean;
  format: 'webp' | 'png' | 'jpeg';
  darkMode: boolean;
  delayMs: number;
  /** Device pixels per CSS pixel. */
  scale: number;
  /** CSS selectors. */
  selector?: string;
  waitFor?: string;
  hideSelectors: readonly string[];
  /** Whether advertisements and cookie banners are left out. */
  blockAds?: boolean;
}

interface Size {
  width: number;
  height: number;
}

/** What an image has of more than it holds, in CSS pixels. */
export interface Cut {
  drawn: Size;
  whole: Size;
}

export interface Capture {
  /** The image's bytes. */
  content: Uint8Array;
  /** Where the page or the element is larger than an image may be. */
  cut?: Cut;
}

/** Pages drawn in a browser that has no way out but the guarded one. */
export interface BrowserPort {
  isOn: boolean;
  /** Where a thumbnail service would have the page's image; undefined where none is configured. */
  fallbackFor(url: string, width: number): string | undefined;
  /**
   * Captures the page in one of the slots that callers share; each may hold two at a time.
   * Throws ToolError: 400 where the page is not public, 502 where it cannot be drawn, 503 where all browsers are busy.
   * One that names `url` is of the page's own making.
   */
  capture(url: URL, options: CaptureOptions, caller: Caller, signal: AbortSignal): Promise<Capture>;
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
