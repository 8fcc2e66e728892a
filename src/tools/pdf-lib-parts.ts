/**
 * Replaces packages that pdf-lib imports (wrangler.toml, ADR 58): its fonts and its PNG decoder, because plain-pdf.ts
 * draws nothing, and pako, because fflate is in the bundle anyway.
 */
import { zlibSync } from 'fflate';

export const Encodings = {};
export const Font = {};
export const FontNames = {};

export default { deflate: zlibSync };
