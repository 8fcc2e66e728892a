/** Downloads, measures and ranks icons. */
import { badRequest, ToolError } from '../core/errors.ts';
import { MB } from '../core/limits.ts';
import type { EgressPort } from '../core/ports.ts';
import { jsonBytes } from './bounded-json.ts';
import { fetchFollowing, readWhole, waitForUpstream } from './fetch-following.ts';
import type { Head } from './html-head.ts';
import { type Candidate, candidatesOf, manifestIcons, manifestOf } from './icon-candidates.ts';
import { measureImage } from './image-size.ts';

/** The maximum size of an icon in bytes. Up to ten icons of this size are in memory at a time. */
const MAX_BYTES = 2 * MB;
const MAX_MANIFEST_BYTES = MB;
const SECONDS = 10;
const REDIRECTS = 3;
const DOWNLOADED = 10;
/** The maximum number of icons that are listed for a page. A longer list would not be useful. */
const LISTED = 200;
/** The maximum size of all listed icons as JSON, in bytes. The best icon appears in the result twice. */
const LISTED_BYTES = 400 * 1024;
/**
 * The number of JSON bytes that are reserved for the fields that fetching adds to an icon: its size, its copy or its
 * error.
 */
const MEASURED_BYTES = 1024;
/**
 * The area assumed for an SVG in the ranking, in pixels. SVGs have no size in pixels, so they rank above smaller images
 * and below larger ones.
 */
const VECTOR_PIXELS = 256 * 256;

export interface Icon extends Candidate {
  width?: number;
  height?: number;
  format?: string;
  bytes?: number;
  error?: string;
}

export interface FoundIcon {
  icon: Icon;
  /** The image, if the icon was fetched. */
  content?: Uint8Array;
}

/**
 * Returns the icons of a page, best first and failed ones last. `unlisted` is the number of icons that were omitted.
 */
export async function findIcons(
  egress: EgressPort,
  head: Head,
  page: URL,
  signal: AbortSignal,
): Promise<{ found: FoundIcon[]; unlisted: number }> {
  const all = candidatesOf(head, page, await readManifest(egress, head, signal));
  const listed = listedOf(all);
  const downloaded = listed
    .slice(0, DOWNLOADED)
    .map((candidate) =>
      fetchIcon(candidate, (limited) => download(egress, candidate.url, head, limited), signal),
    );
  const rest = listed.slice(DOWNLOADED).map((icon): FoundIcon => ({ icon }));
  const found = [...(await Promise.all(downloaded)), ...rest];
  return {
    found: found.sort((a, b) => rank(b.icon) - rank(a.icon)),
    unlisted: all.length - listed.length,
  };
}

/**
 * Returns the candidates that fit into a result. The last one, which is usually the default path, is always included.
 */
function listedOf(all: readonly Candidate[]): Candidate[] {
  const last = all.slice(-1);
  const sizeOf = (candidate: Candidate) => jsonBytes(candidate) + MEASURED_BYTES;
  let left = LISTED_BYTES - last.reduce((sum, candidate) => sum + sizeOf(candidate), 0);
  const others = all.slice(0, -1).filter((candidate, index) => {
    left -= sizeOf(candidate);
    return left >= 0 && index < LISTED - 1;
  });
  return [...others, ...last];
}

/** Fetches and measures a candidate. If this fails, records the reason. */
export async function fetchIcon(
  candidate: Candidate,
  get: (signal: AbortSignal) => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<FoundIcon> {
  try {
    const content = await waitForUpstream(SECONDS, 'url', signal, get);
    const image = measureImage(content);
    if (!image) throw badRequest('Not an image.');
    return { icon: { ...candidate, ...image, bytes: content.byteLength }, content };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolError)) throw error;
    return { icon: { ...candidate, error: error.message } };
  }
}

async function download(
  egress: EgressPort,
  address: string,
  within: Head,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (address.startsWith('data:')) return inlineBytes(address);
  const options = { accept: 'image/*,*/*;q=0.1', redirects: REDIRECTS, within };
  const { response } = await fetchFollowing(egress, new URL(address), options, signal);
  if (response.status >= 400) {
    await response.body?.cancel().catch(() => {});
    throw badRequest(`The URL returned status ${response.status}.`);
  }
  return readWhole(response, MAX_BYTES, () =>
    badRequest(`The icon is larger than ${MAX_BYTES / MB} MB.`),
  );
}

/** Decodes a `data:` URL (RFC 2397). */
function inlineBytes(address: string): Uint8Array {
  const comma = address.indexOf(',');
  const data = address.slice(comma + 1);
  try {
    if (comma < 0) throw new SyntaxError();
    const [, ...settings] = address.slice(0, comma).split(';');
    if (settings.at(-1)?.trim().toLowerCase() !== 'base64') {
      return new TextEncoder().encode(decodeURIComponent(data));
    }
    return Uint8Array.fromBase64(decodeURIComponent(data).replace(/\s/g, ''));
  } catch {
    throw badRequest('The data: URL is malformed.');
  }
}

/** Returns the icons of the manifest. Returns an empty array if the manifest cannot be read. */
async function readManifest(
  egress: EgressPort,
  head: Head,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const address = manifestOf(head);
  if (!address) return [];
  try {
    return await waitForUpstream(SECONDS, 'url', signal, async (limited) => {
      const options = {
        accept: 'application/manifest+json,application/json;q=0.9,*/*;q=0.1',
        redirects: REDIRECTS,
        within: head,
      };
      const { url, response } = await fetchFollowing(egress, new URL(address), options, limited);
      const bytes = await readWhole(response, MAX_MANIFEST_BYTES, () =>
        badRequest('The manifest is too large.'),
      );
      return manifestIcons(new TextDecoder().decode(bytes), url);
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolError)) throw error;
    return [];
  }
}

/** Ranks real icons before social images, and larger ones first. Icons that were not fetched and failures come last. */
function rank({ source, width, height, format, error }: Icon): number {
  if (error !== undefined) return -2;
  if (format === undefined) return -1;
  const pixels = format === 'svg' ? VECTOR_PIXELS : (width ?? 0) * (height ?? 0);
  return (source === 'social-image' ? 0 : 2 ** 50) + Math.min(pixels, 2 ** 49);
}
