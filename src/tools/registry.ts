/** The list of tools, in the order of the catalogue; everything else about a tool is in its folder. */
import type { Tool } from '../core/define-tool.ts';

import { calculatePercentage } from './calculate_percentage/calculate_percentage.ts';
import { compareText } from './compare_text/compare_text.ts';
import { decodeBase64 } from './decode_base64/decode_base64.ts';
import { decodeJwt } from './decode_jwt/decode_jwt.ts';
import { decodeUrl } from './decode_url/decode_url.ts';
import { encodeBase64 } from './encode_base64/encode_base64.ts';
import { encodeUrl } from './encode_url/encode_url.ts';
import { fetchPageMetadata } from './fetch_page_metadata/fetch_page_metadata.ts';
import { fetchSiteLogo } from './fetch_site_logo/fetch_site_logo.ts';
import { formatJson } from './format_json/format_json.ts';
import { generateFakeData } from './generate_fake_data/generate_fake_data.ts';
import { generateQrCode } from './generate_qr_code/generate_qr_code.ts';
import { hashText } from './hash_text/hash_text.ts';
import { mergePdf } from './merge_pdf/merge_pdf.ts';
import { screenshotUrl } from './screenshot_url/screenshot_url.ts';
import { shortenUrl } from './shorten_url/shorten_url.ts';
import { splitPdf } from './split_pdf/split_pdf.ts';
import { uploadFile } from './upload_file/upload_file.ts';

export const TOOLS: readonly Tool[] = [
  calculatePercentage,
  compareText,
  decodeBase64,
  decodeJwt,
  decodeUrl,
  encodeBase64,
  encodeUrl,
  fetchPageMetadata,
  fetchSiteLogo,
  formatJson,
  generateFakeData,
  generateQrCode,
  mergePdf,
  screenshotUrl,
  shortenUrl,
  splitPdf,
  uploadFile,
  hashText,
];

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);
