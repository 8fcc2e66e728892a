import { describe, expect, it } from 'vitest';
import offTopicLines from '../../../test/search/off-topic.txt?raw';
import { TOOLS } from '../../tools/registry.ts';
import { endpointEntries } from './endpoints.ts';
import { namedBy } from './named.ts';
import { toolEntry } from './search-index.ts';

const tools = TOOLS.map((tool) => toolEntry(tool, { summary: '', tags: [] }));
const found = (query: string) => namedBy({ tools, endpoints, documents: [] }, query);
const endpoint = (title: string, call: string, group = 'Endpoints', words = '') => {
  const [method = '', path = ''] = call.split(' ');
  return {
    group,
    entries: [{ id: path.split('/').at(-1)!, title, purpose: '', method, path, words }],
  };
};
const endpoints = endpointEntries([
  endpoint('List the tools', 'GET /api/v1/tools'),
  endpoint('Get usage', 'GET /api/v1/usage'),
  endpoint('Store a file', 'POST /api/v1/inputs'),
  endpoint('Get a job', 'GET /api/v1/jobs/{id}'),
  endpoint('Cancel a job', 'DELETE /api/v1/jobs/{id}'),
  endpoint('Delete a file', 'DELETE /files/{id}/{filename}'),
  endpoint('Merge PDF files', 'POST /api/v1/tools/merge_pdf', 'PDF', 'files fileUrls'),
  endpoint('Images to PDF', 'POST /api/v1/tools/images_to_pdf', 'PDF', 'pageSize margin X-Fit'),
]);
const calls = (query: string) => found(query).endpoints.map(({ title }) => title);
const names = (query: string) => found(query).tools.map(({ href }) => href.replace('/tools/', ''));

const OFF_TOPIC = offTopicLines
  .split('\n')
  .filter((line) => line.includes(' | '))
  .map((line) => line.split(' | ')[1]!);

describe('namedBy', () => {
  it.each([
    ['smaller', ['compress_image', 'compress_pdf', 'compress_video']],
    ['uppercase', ['convert_case']],
    ['slug', ['convert_case']],
    ['slugify', ['convert_case']],
    ['kebab', ['convert_case']],
    ['url slug', ['convert_case']],
    ['shrink photo', ['compress_image']],
    ['rotate', ['rotate_pdf']],
    ['crontab', ['explain_cron']],
    ['guid', ['generate_uuid']],
    ['favicon', ['fetch_site_logo']],
    ['heic', ['compress_image']],
    ['delete pages', ['split_pdf']],
    ['epoch', ['convert_timestamp']],
    ['md5', ['hash_text']],
    ['ocr', ['extract_text_ocr']],
    ['password', ['generate_password']],
    ['html to pdf', ['screenshot_url']],
    ['website to pdf', ['screenshot_url']],
    ['url to pdf', ['screenshot_url']],
    ['print web page', ['screenshot_url']],
    ['b64', ['encode_base64', 'decode_base64']],
    ['prettify', ['format_json']],
    ['tz', ['convert_timestamp']],
    ['timezone', ['convert_timestamp']],
  ])('finds for %j %j', (query, wanted) => {
    expect(names(query)).toEqual(expect.arrayContaining(wanted));
  });

  it.each([
    ['diff', 'compare_text'],
    ['merge', 'merge_pdf'],
    ['rotate', 'rotate_pdf'],
    ['base64 decode', 'decode_base64'],
    ['qr', 'generate_qr_code'],
    ['og image', 'fetch_page_metadata'],
    ['open graph', 'fetch_page_metadata'],
    ['social preview', 'fetch_page_metadata'],
    // These queries contain unknown or misspelled words.
    ['photo too big for email', 'compress_image'],
    ['make video smaller for whatsapp', 'compress_video'],
    ['compare two contracts', 'compare_text'],
    ['merje pdf', 'merge_pdf'],
    ['passwrod', 'generate_password'],
    ['decdoe base64', 'decode_base64'],
    ['screnshot', 'screenshot_url'],
    ['shrnk imge', 'compress_image'],
    // A rare word outweighs a common one.
    ['crontab generator', 'explain_cron'],
    ['cron generator', 'explain_cron'],
    ['verify jwt signature', 'decode_jwt'],
    ['verify signature', 'decode_jwt'],
  ])('lists first for %j: %s', (query, wanted) => {
    expect(names(query)[0]).toBe(wanted);
  });

  it('finds no tool for questions about other topics', () => {
    const found = OFF_TOPIC.filter((query) => names(query).length > 0);
    expect(OFF_TOPIC.length).toBe(80);
    expect(found).toEqual([]);
  });

  it.each([
    ['how long are my files kept', '/privacy'],
    ['is it safe to upload', '/privacy'],
    ['are my documents private', '/privacy'],
    ['privacy', '/privacy'],
    ['delete my file', '/docs/files#delete-a-stored-file', '/privacy'],
    ['delete file', '/docs/files#delete-a-stored-file', '/privacy'],
    ['quota_exceeded', '/docs/errors#quota_exceeded'],
    ['invalid_key', '/docs/errors#invalid_key'],
    ['webhok', '/how-to/run-a-long-call-as-a-job'],
    ['authentification', '/docs/accounts'],
    ['idempotancy', '/how-to/repeat-a-call-safely'],
    ['ratelimt', '/docs#limits'],
    ['chian', '/chains'],
    ['abuse', '/abuse'],
    ['cors', '/docs#from-a-program'],
    ['jobs', '/docs/chains#jobs'],
    ['cli', '/how-to/use-the-command-and-the-client'],
    ['rotate key', '/docs/accounts'],
    ['how many requests per hour', '/docs#limits'],
    ['claude', '/docs/mcp'],
    ['api', '/docs', '/docs/api'],
    ['self-hosted', '/how-to/run-the-service-on-your-laptop'],
    ['limits', '/docs#limits'],
    ['key', '/developers', '/docs/accounts'],
    ['api key', '/developers', '/docs/accounts'],
    ['price', '/docs#limits'],
    ['pricing plans', '/docs#limits'],
    ['is it free', '/docs#limits'],
    ['free tier', '/docs#limits'],
    ['cost', '/docs#limits'],
    ['what does it cost', '/docs#limits'],
    ['api pricing', '/docs#limits'],
    ['rate limiting', '/docs#limits'],
    ['chain', '/chains'],
    ['build a chain', '/chains'],
    ['terms', '/terms'],
    ['contact', '/contact'],
    ['status', '/status'],
  ])('lists for %j the page %s', (query, ...wanted) => {
    expect(found(query).pages.map(({ href }) => href)).toEqual(wanted);
  });

  it.each([
    'delete pages',
    'delete my account',
    'secure password',
    'contact sheet',
    'status codes',
    'split file',
    'upload file',
    'limit the width of an image',
    'blockchain',
    'price calculator',
    'cost of living',
    'how much does a kitchen renovation cost',
    'free image compressor',
  ])('lists no page about the service for %j', (query) => {
    expect(found(query).pages).toEqual([]);
  });

  it('guesses no tool for a query about an account', () => {
    for (const query of ['delete account', 'delete my account', 'Close the accounts'])
      expect(found(query).tools, query).toEqual([]);
  });

  it('omits words that only share the first letters', () => {
    expect(names('diff')).not.toContain('calculate_percentage');
  });

  it.each([
    ['word to pdf', /converts Office files/],
    ['docx', /converts Office files/],
    ['convert office', /converts Office files/],
    ['pdf to word', /converts PDFs to Office files/],
    ['sign', /signs PDFs/],
    ['signature', /signs PDFs/],
    ['sign a contract', /signs PDFs/],
    ['esignature', /signs PDFs/],
    ['watermark a pdf', /edits PDF pages/],
    ['pdf password', /PDF passwords/],
    ['pdf to jpg', /Preview exports a page/],
    ['convert pdf into images', /Preview exports a page/],
    ['json repair', /shows the position of the first error/],
    ['csv to json', /converts CSV/],
    ['cut video', /cuts or joins videos/],
    ['mp4 to gif', /makes GIFs/],
    ['rotate photo', /rotates or flips images/],
    ['crop', /crops it at the center/],
    ['crop a photo', /crops it at the center/],
    ['crop pdf', /edits PDF pages/],
    ['crop video', /cuts or joins videos/],
    ['xml', /formats or converts XML/],
    ['bcrypt', /hashes passwords with bcrypt/],
    ['translate', /translates text/],
    ['blur face', /blurs parts of an image/],
    ['remove background', /background from a photo/],
    ['watermark', /adds watermarks/],
    ['watermrk', /adds watermarks/],
    ['transalte a letter', /translates text/],
  ])('notes for %j that no tool does it', (query, note) => {
    expect(found(query).note?.text).toMatch(note);
  });

  it('links to the comparison from every note that names a compared program', () => {
    for (const query of ['word to pdf', 'sign', 'watermark a pdf', 'pdf password', 'pdf to png'])
      expect(found(query).note?.link?.href, query).toBe('/compare/gotenberg-and-stirling-pdf');
    expect(found('translate').note?.link).toBeUndefined();
  });

  it('links from a note to the nearest tool', () => {
    expect(found('crop').note?.link?.href).toBe('/tools/compress_image');
    expect(found('bcrypt').note?.link?.href).toBe('/tools/hash_text');
    expect(found('hmac').tools[0]?.href).toBe('/tools/hash_text');
  });

  it.each([
    ['sign pdf', []],
    ['pdf to jpg', ['images_to_pdf']],
    ['pdf to word', ['parse_document']],
    ['crop video', []],
    ['crop', ['split_image']],
  ])('lists below the note for %j only the tools that all its words name: %j', (query, wanted) => {
    expect(names(query)).toEqual(wanted);
  });

  it.each([
    'sign in',
    'verify signature',
    'verify jwt signature',
    'word count',
    'count words',
    'generate a password',
    'compress a pdf',
    'passport photo',
    'rotate a pdf page',
    'compress a video',
    'resize image',
  ])('adds no such note for %j', (query) => {
    expect(found(query).note).toBeUndefined();
  });

  it.each([
    ['GET /api/v1/usage', ['Get usage']],
    ['post /api/v1/inputs', ['Store a file']],
    ['/api/v1/jobs/123?wait=1', ['Get a job', 'Cancel a job']],
    ['https://tools.example.com/api/v1/jobs/abc', ['Get a job', 'Cancel a job']],
    ['DELETE /files', ['Delete a file']],
    ['api/v1/tools/merge_pdf', ['Merge PDF files']],
    ['cancel a job', ['Cancel a job']],
    ['merge_pdf', ['Merge PDF files']],
    ['inputs', ['Store a file']],
    ['merge pdf files', []],
    ['and/or', []],
    ['n/a', []],
  ])('finds for %j the endpoints %j', (query, wanted) => {
    expect(calls(query)).toEqual(wanted);
  });

  it.each([
    ['heictojpg', 'compress_image'],
    ['pdfmerge', 'merge_pdf'],
    ['compressvideo', 'compress_video'],
    ['jsonformatter', 'format_json'],
    ['url shortner', 'shorten_url'],
    ['url shortener', 'shorten_url'],
    ['photo smaller than 1 mb', 'compress_image'],
    ['wordcounter', 'count_text'],
    ['image compressor', 'compress_image'],
    ['pdf merger', 'merge_pdf'],
    ['pdf splitter', 'split_pdf'],
    ['qr code generator', 'generate_qr_code'],
  ])('lists first for the joined or misspelled words %j: %s', (query, wanted) => {
    expect(names(query)[0]).toBe(wanted);
  });

  it('finds the note for words that are joined', () => {
    expect(found('pdftoword').note?.text).toMatch(/converts PDFs to Office files/);
  });

  it.each([
    ['pasword', 'generate_password', false],
    ['merge', 'merge_pdf', false],
    ['multipart', 'compress_video', true],
    ['expires', 'decode_jwt', true],
  ])('lists first for %j: %s, as a guess: %s', (query, tool, isGuess) => {
    expect(names(query)[0]).toBe(tool);
    expect(found(query).isGuess).toBe(isGuess);
  });

  it.each([
    ['pageSize', []],
    ['pagesize', []],
    ['fileUrls', []],
    ['x-fit', []],
    ['margin', ['images_to_pdf', 'calculate_percentage']],
  ])('finds the endpoint and the tool with the field %s', (query, wanted) => {
    expect(calls(query)).toEqual([query === 'fileUrls' ? 'Merge PDF files' : 'Images to PDF']);
    expect(names(query)).toEqual(wanted);
    expect(found(query).isGuess).toBe(false);
  });

  it('finds the tool that computes the HMAC of a webhook', () => {
    expect(names('webhook signature')).toEqual(['hash_text']);
  });

  it('adds the endpoint of a tool to queries about the API', () => {
    expect(calls('merge pdf api')).toEqual(['Merge PDF files']);
    expect(names('merge pdf api')[0]).toBe('merge_pdf');
  });

  it.each(['invalid_key', 'not_found', 'cli', 'cors'])(
    'lists no tool and no note for %j',
    (query) => {
      expect(names(query)).toEqual([]);
      expect(found(query).note).toBeUndefined();
    },
  );

  it('lists beside a page only tools with the words in their names or synonyms', () => {
    expect(names('api key')).toEqual([]);
  });

  it.each(['curl example', 'python', 'getting started'])('leads %j to the start', (query) => {
    expect(found(query).pages[0]?.href).toBe('/docs');
  });
});
