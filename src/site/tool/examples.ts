/** One sensible call of every tool: shown as code, and put into the form by "Fill in an example". */

interface Example {
  parameters?: Record<string, unknown>;
  /** Names of the files that the shown call sends. */
  files?: readonly string[];
}

const TOKEN =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NSIsIm5hbWUiOiJBZGEiLCJleHAiOjE4OTM0NTYwMDB9.c2lnbmF0dXJl';

const EXAMPLES: Record<string, Example> = {
  calculate_percentage: { parameters: { operation: 'increase', value1: 80, value2: 15 } },
  compare_text: {
    parameters: { text1: 'apples\npears\nplums', text2: 'apples\ncherries\nplums\nfigs' },
  },
  compress_image: {
    parameters: { quality: 0.8, format: 'webp', width: 1200 },
    files: ['photo.jpg'],
  },
  compress_pdf: { files: ['scan.pdf'] },
  compress_video: { parameters: { preset: 'fast', scale: '-1:480' }, files: ['clip.mp4'] },
  decode_base64: { parameters: { encoded: 'SGVsbG8sIHdvcmxkIQ==' } },
  decode_jwt: { parameters: { token: TOKEN } },
  decode_url: { parameters: { encoded: 'caf%C3%A9%20%26%20cr%C3%A8me' } },
  draft_email: {
    parameters: { prompt: 'Ask the landlord to repair the heating this week', tone: 'formal' },
  },
  encode_base64: { parameters: { text: 'Hello, world!' } },
  encode_url: { parameters: { url: 'café & crème?' } },
  extract_text_ocr: { parameters: { language: 'eng' }, files: ['page.png'] },
  fetch_page_metadata: { parameters: { url: 'example.com' } },
  fetch_site_logo: { parameters: { url: 'example.com' } },
  format_json: { parameters: { json: '{"name":"Ada","born":1815,"tags":["maths","engines"]}' } },
  generate_blog_outline: { parameters: { topic: 'sourdough, baking, beginners', sections: 4 } },
  generate_fake_data: { parameters: { type: 'user', count: 5 } },
  generate_image: { parameters: { prompt: 'A lighthouse at dusk, watercolour' } },
  generate_qr_code: { parameters: { text: 'https://example.com/', size: 400 } },
  generate_sql: {
    parameters: {
      description: 'The ten customers with the highest total of orders in 2025',
      dialect: 'postgresql',
    },
  },
  generate_text: { parameters: { type: 'lorem', length: 300, count: 2 } },
  hash_text: { parameters: { text: 'abc' } },
  humanize_text: {
    parameters: { text: 'It is important to note that water is essential.', level: 'medium' },
  },
  images_to_pdf: { parameters: { pageSize: 'a4', margin: 36 }, files: ['one.jpg', 'two.png'] },
  merge_pdf: { files: ['first.pdf', 'second.pdf'] },
  parse_document: { files: ['report.pdf'] },
  screenshot_url: { parameters: { url: 'https://example.com/', width: 1280 } },
  shorten_url: { parameters: { url: 'https://example.com/a/long/path?with=parameters' } },
  split_image: { parameters: { rows: 2, cols: 2 }, files: ['sheet.png'] },
  split_pdf: { parameters: { ranges: ['1-3', '5'] }, files: ['report.pdf'] },
  upload_file: { files: ['photo.jpg'] },
};

export const exampleOf = (name: string): Example => EXAMPLES[name] ?? {};
