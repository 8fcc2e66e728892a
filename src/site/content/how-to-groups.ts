/**
 * Groups the how-tos by the reader's task. scripts/content/how-to-groups.test.ts checks that each how-to is in exactly
 * one group.
 */
export const HOW_TO_GROUPS: readonly [heading: string, names: readonly string[]][] = [
  [
    'PDF and documents',
    [
      ...['merge-pdfs-into-one-document', 'send-only-some-pages', 'make-one-pdf-from-photos'],
      ...['rotate-sideways-pages-of-a-pdf', 'compress-a-scan-for-mail', 'ocr-a-scan-in-german'],
      'read-the-text-of-any-pdf',
    ],
  ],
  [
    'Images and video',
    [
      ...['prepare-images-for-a-web-page', 'remove-the-location-from-a-photo'],
      ...['turn-an-svg-into-a-png', 'cut-a-comic-into-panels', 'shrink-a-screen-recording'],
    ],
  ],
  [
    'Links and the web',
    [
      ...['make-a-qr-code-for-print', 'host-a-file-for-a-week', 'put-any-text-into-a-link'],
      ...['show-a-preview-of-a-link', 'watch-what-a-page-looks-like'],
    ],
  ],
  [
    'Data for developers',
    [
      ...['compare-two-configuration-files', 'find-out-why-a-jwt-is-refused'],
      ...['fill-a-database-with-test-users'],
    ],
  ],
  [
    'Calls from code',
    [
      ...['use-the-command-and-the-client', 'call-the-service-from-javascript'],
      ...['upload-once-and-use-it-several-times', 'run-several-tools-in-one-call'],
      ...['run-a-long-call-as-a-job', 'handle-errors-in-a-script', 'repeat-a-call-safely'],
      ...['stay-within-the-limits', 'get-a-key-and-see-its-usage'],
      ...['list-the-tools-from-a-program', 'search-the-documents-of-the-service'],
    ],
  ],
  ['AI agents', ['connect-an-ai-client-over-mcp', 'give-an-mcp-client-a-file']],
  ['Your own service', ['run-the-service-on-your-laptop', 'use-your-own-model']],
];
