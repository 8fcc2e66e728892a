/**
 * Lists the tools in the contract (api.md, Tool catalogue; decisions.md, MCP). The tool definitions must match this
 * list.
 */

/** The tools of each MCP domain. /api/mcp offers exactly these tools. */
export const MCP_DOMAINS: Record<string, string[]> = {
  documents: [
    'merge_pdf',
    'split_pdf',
    'compress_pdf',
    'images_to_pdf',
    'extract_text_ocr',
    'parse_document',
  ],
  media: ['compress_image', 'generate_qr_code', 'generate_image', 'split_image'],
  web: ['screenshot_url', 'fetch_site_logo', 'fetch_page_metadata', 'shorten_url'],
  text: ['humanize_text', 'draft_email', 'generate_blog_outline', 'generate_text', 'compare_text'],
  dev: [
    'generate_sql',
    'encode_base64',
    'decode_base64',
    'encode_url',
    'decode_url',
    'decode_jwt',
    'format_json',
    'calculate_percentage',
    'generate_fake_data',
  ],
};

export const MCP_TOOLS = Object.values(MCP_DOMAINS).flat();

/** Tools that are available only over REST. */
export const REST_ONLY = ['compress_video', 'upload_file'];
