/** The tools grouped by kind, in the order of the specification's inventory. */
import type { Tool } from '../core/define-tool.ts';
import { TOOLS } from '../tools/registry.ts';

const KINDS = {
  PDF: 'merge_pdf split_pdf compress_pdf images_to_pdf parse_document',
  'Images and media':
    'compress_image split_image generate_image generate_qr_code compress_video extract_text_ocr',
  'Files and links': 'upload_file shorten_url',
  Web: 'screenshot_url fetch_site_logo fetch_page_metadata',
  'Writing, with a model':
    'humanize_text draft_email generate_blog_outline generate_sql generate_text',
  'Text and data':
    'compare_text format_json encode_base64 decode_base64 encode_url decode_url decode_jwt calculate_percentage generate_fake_data',
  'In your browser only':
    'hash_text generate_password test_regex preview_markdown convert_timestamp decode_qr_code',
};

/** Every tool, under its kind. */
export const toolsByKind = (): [kind: string, tools: Tool[]][] =>
  Object.entries(KINDS).map(([kind, names]): [string, Tool[]] => {
    const order = names.split(' ');
    const ofKind = order.flatMap((name) => TOOLS.filter((tool) => tool.name === name));
    return [kind, ofKind];
  });
