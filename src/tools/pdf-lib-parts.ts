/**
 * Replaces packages that pdf-lib imports (wrangler.toml, ADR 58). Its fonts and its PNG decoder are not needed, because
 * plain-pdf.ts draws nothing. fflate replaces pako, because fflate is already in the bundle.
 */
import { zlibSync } from 'fflate';

export const Encodings = {};
export const Font = {};
export const FontNames = {};

export default { deflate: zlibSync };
