/** How often a tool may be called: the figures that a tool's definition carries (api.md, Per-tool limits). */

export interface Limit {
  calls: number;
  per: 'minute' | 'hour' | 'day';
  /** Whose calls are counted together. */
  by: 'ip' | 'account' | 'caller';
}

/** MB in this service (decisions.md, Small print): 2^20 bytes. */
export const MB = 2 ** 20;
export const GB = 2 ** 30;

/** Bytes of a disk of `total` bytes that stored files leave free. */
export const diskFloor = (total: number): number => Math.min(GB, total / 20);

/** Pixels of an image that is decoded or made, all its frames together. */
export const MAX_IMAGE_PIXELS = 100_000_000;
/** Pixels a side of an image that is made, as WebP holds and Chromium draws them. */
export const MAX_IMAGE_SIDE = 16_383;
/** CSS pixels of a page's height that are drawn of it (api.md, screenshot_url). */
export const MAX_PAGE_HEIGHT = 12_000;

/** How long an upload is kept, and what tools make of it (api.md, Stored output link). */
export const UPLOAD_LIFE_SECONDS = 7 * 24 * 3600;
export const OUTPUT_LIFE_SECONDS = 24 * 3600;

/** Over MCP a file comes inline below this (api.md, MCP). */
export const INLINE_BYTES = 1 * MB;

/** Bounds of a request body on any endpoint (decisions.md, Limits). */
export const MAX_BODY_BYTES = 64 * MB;
export const MAX_JSON_BYTES = 8 * MB;
/** The largest JSON result that is stored: of an MCP call, a job or a chain (decisions.md, Limits). */
export const MAX_STORED_JSON_BYTES = 8 * MB;
/** The largest single file that any tool takes. */
export const MAX_FILE_BYTES = 50 * MB;
