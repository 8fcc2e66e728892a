/** The list of tools in catalogue order; everything else about a tool is in its folder. */
import type { Tool } from '../core/define-tool.ts';

import { calculatePercentage } from './calculate_percentage/calculate_percentage.ts';
import { compareText } from './compare_text/compare_text.ts';
import { compressImage } from './compress_image/compress_image.ts';
import { compressPdf } from './compress_pdf/compress_pdf.ts';
import { compressVideo } from './compress_video/compress_video.ts';
import { convertTimestamp } from './convert_timestamp/convert_timestamp.ts';
import { decodeBase64 } from './decode_base64/decode_base64.ts';
import { decodeJwt } from './decode_jwt/decode_jwt.ts';
import { decodeQrCode } from './decode_qr_code/decode_qr_code.ts';
import { decodeUrl } from './decode_url/decode_url.ts';
import { draftEmail } from './draft_email/draft_email.ts';
import { encodeBase64 } from './encode_base64/encode_base64.ts';
import { encodeUrl } from './encode_url/encode_url.ts';
import { extractTextOcr } from './extract_text_ocr/extract_text_ocr.ts';
import { fetchPageMetadata } from './fetch_page_metadata/fetch_page_metadata.ts';
import { fetchSiteLogo } from './fetch_site_logo/fetch_site_logo.ts';
import { formatJson } from './format_json/format_json.ts';
import { generateBlogOutline } from './generate_blog_outline/generate_blog_outline.ts';
import { generateFakeData } from './generate_fake_data/generate_fake_data.ts';
import { generateImage } from './generate_image/generate_image.ts';
import { generatePassword } from './generate_password/generate_password.ts';
import { generateQrCode } from './generate_qr_code/generate_qr_code.ts';
import { generateSql } from './generate_sql/generate_sql.ts';
import { generateText } from './generate_text/generate_text.ts';
import { hashText } from './hash_text/hash_text.ts';
import { humanizeText } from './humanize_text/humanize_text.ts';
import { imagesToPdf } from './images_to_pdf/images_to_pdf.ts';
import { mergePdf } from './merge_pdf/merge_pdf.ts';
import { parseDocument } from './parse_document/parse_document.ts';
import { previewMarkdown } from './preview_markdown/preview_markdown.ts';
import { screenshotUrl } from './screenshot_url/screenshot_url.ts';
import { shortenUrl } from './shorten_url/shorten_url.ts';
import { splitImage } from './split_image/split_image.ts';
import { splitPdf } from './split_pdf/split_pdf.ts';
import { testRegex } from './test_regex/test_regex.ts';
import { uploadFile } from './upload_file/upload_file.ts';

export const TOOLS: readonly Tool[] = [
  calculatePercentage,
  compareText,
  compressImage,
  compressPdf,
  compressVideo,
  decodeBase64,
  decodeJwt,
  decodeUrl,
  draftEmail,
  encodeBase64,
  encodeUrl,
  extractTextOcr,
  fetchPageMetadata,
  fetchSiteLogo,
  formatJson,
  generateBlogOutline,
  generateFakeData,
  generateImage,
  generateQrCode,
  generateSql,
  generateText,
  humanizeText,
  imagesToPdf,
  mergePdf,
  parseDocument,
  screenshotUrl,
  shortenUrl,
  splitImage,
  splitPdf,
  uploadFile,
  hashText,
  generatePassword,
  testRegex,
  previewMarkdown,
  convertTimestamp,
  decodeQrCode,
];

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | undefined => byName.get(name);
