/** Defines the form of tools' rate limits, and the size limits of the service (api.md, Per-tool limits). */

export interface Limit {
  calls: number;
  per: 'minute' | 'hour' | 'day';
  /** The scope of the limit: an IP address, an account or a caller. */
  by: 'ip' | 'account' | 'caller';
}

/** The number of bytes in an MB as this service counts it, 2^20 (decisions.md, Small print). */
export const MB = 2 ** 20;
export const GB = 2 ** 30;

/** Returns the number of bytes that stored files must leave free on a disk of `total` bytes. */
export const diskFloor = (total: number): number => Math.min(GB, total / 20);

/** The maximum number of pixels of a decoded or created image, across all frames. */
export const MAX_IMAGE_PIXELS = 100_000_000;
/** The maximum number of pixels per side of a created image, which is the maximum of the WebP format. */
export const MAX_IMAGE_SIDE = 16_383;
/** The maximum height of a captured page in CSS pixels (api.md, screenshot_url). */
export const MAX_PAGE_HEIGHT = 12_000;

/** The time for which uploads and tool results are stored, in seconds (api.md, Stored output link). */
export const UPLOAD_LIFE_SECONDS = 7 * 24 * 3600;
export const OUTPUT_LIFE_SECONDS = 24 * 3600;

/** The size in bytes below which MCP can return a file in the result itself (api.md, MCP). */
export const INLINE_BYTES = 1 * MB;

/** The maximum size in bytes of a request body on any endpoint (decisions.md, Limits). */
export const MAX_BODY_BYTES = 64 * MB;
export const MAX_JSON_BYTES = 8 * MB;
/**
 * The maximum size in bytes of the JSON result of an MCP call, a job or a chain step, and of a response that is stored
 * under an idempotency key (decisions.md, Limits).
 */
export const MAX_STORED_JSON_BYTES = 8 * MB;
/** The maximum size in bytes of a file in a `data:` link. Models copy longer links incorrectly. */
export const MAX_DATA_LINK_BYTES = 2 * 1024;
/** The maximum number of files in a ZIP that the endpoint for agents returns as separate links. */
export const MAX_LINKED_ENTRIES = 100;
/** The maximum size of a single file, in bytes. */
export const MAX_FILE_BYTES = 50 * MB;
