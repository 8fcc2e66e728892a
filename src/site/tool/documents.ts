/** The tools’ own documents: title, one sentence, text, with this service’s address in the examples. */
import calculatePercentage from '../../tools/calculate_percentage/calculate_percentage.md';
import compareText from '../../tools/compare_text/compare_text.md';
import compressImage from '../../tools/compress_image/compress_image.md';
import compressPdf from '../../tools/compress_pdf/compress_pdf.md';
import compressVideo from '../../tools/compress_video/compress_video.md';
import convertTimestamp from '../../tools/convert_timestamp/convert_timestamp.md';
import decodeBase64 from '../../tools/decode_base64/decode_base64.md';
import decodeJwt from '../../tools/decode_jwt/decode_jwt.md';
import decodeQrCode from '../../tools/decode_qr_code/decode_qr_code.md';
import decodeUrl from '../../tools/decode_url/decode_url.md';
import draftEmail from '../../tools/draft_email/draft_email.md';
import encodeBase64 from '../../tools/encode_base64/encode_base64.md';
import encodeUrl from '../../tools/encode_url/encode_url.md';
import extractTextOcr from '../../tools/extract_text_ocr/extract_text_ocr.md';
import fetchPageMetadata from '../../tools/fetch_page_metadata/fetch_page_metadata.md';
import fetchSiteLogo from '../../tools/fetch_site_logo/fetch_site_logo.md';
import formatJson from '../../tools/format_json/format_json.md';
import generateBlogOutline from '../../tools/generate_blog_outline/generate_blog_outline.md';
import generateFakeData from '../../tools/generate_fake_data/generate_fake_data.md';
import generateImage from '../../tools/generate_image/generate_image.md';
import generatePassword from '../../tools/generate_password/generate_password.md';
import generateQrCode from '../../tools/generate_qr_code/generate_qr_code.md';
import generateSql from '../../tools/generate_sql/generate_sql.md';
import generateText from '../../tools/generate_text/generate_text.md';
import hashText from '../../tools/hash_text/hash_text.md';
import humanizeText from '../../tools/humanize_text/humanize_text.md';
import imagesToPdf from '../../tools/images_to_pdf/images_to_pdf.md';
import mergePdf from '../../tools/merge_pdf/merge_pdf.md';
import parseDocument from '../../tools/parse_document/parse_document.md';
import previewMarkdown from '../../tools/preview_markdown/preview_markdown.md';
import screenshotUrl from '../../tools/screenshot_url/screenshot_url.md';
import shortenUrl from '../../tools/shorten_url/shorten_url.md';
import splitImage from '../../tools/split_image/split_image.md';
import splitPdf from '../../tools/split_pdf/split_pdf.md';
import testRegex from '../../tools/test_regex/test_regex.md';
import uploadFile from '../../tools/upload_file/upload_file.md';

const SOURCES: Record<string, string> = {
  calculate_percentage: calculatePercentage,
  compare_text: compareText,
  compress_image: compressImage,
  compress_pdf: compressPdf,
  compress_video: compressVideo,
  convert_timestamp: convertTimestamp,
  decode_base64: decodeBase64,
  decode_jwt: decodeJwt,
  decode_qr_code: decodeQrCode,
  decode_url: decodeUrl,
  draft_email: draftEmail,
  encode_base64: encodeBase64,
  encode_url: encodeUrl,
  extract_text_ocr: extractTextOcr,
  format_json: formatJson,
  generate_blog_outline: generateBlogOutline,
  generate_fake_data: generateFakeData,
  generate_image: generateImage,
  generate_password: generatePassword,
  generate_qr_code: generateQrCode,
  generate_sql: generateSql,
  generate_text: generateText,
  hash_text: hashText,
  humanize_text: humanizeText,
  images_to_pdf: imagesToPdf,
  merge_pdf: mergePdf,
  parse_document: parseDocument,
  preview_markdown: previewMarkdown,
  shorten_url: shortenUrl,
  split_image: splitImage,
  split_pdf: splitPdf,
  test_regex: testRegex,
  upload_file: uploadFile,
  fetch_page_metadata: fetchPageMetadata,
  fetch_site_logo: fetchSiteLogo,
  screenshot_url: screenshotUrl,
};

export interface ToolDocument {
  /** One sentence on what the tool is for. */
  summary: string;
  markdown: string;
}

export function toolDocument(name: string, baseUrl: string): ToolDocument {
  const source = SOURCES[name] ?? '';
  const parts = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source);
  const summary = /^description: (.*)$/m.exec(parts?.[1] ?? '')?.[1] ?? '';
  return {
    summary,
    markdown: (parts?.[2] ?? '')
      .replaceAll('{base_url}', baseUrl)
      .replaceAll('{storage_url}', baseUrl)
      .trim(),
  };
}
