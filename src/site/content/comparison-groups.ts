/** Groups the comparisons by audience: first users, then developers who build similar services. */
export const COMPARISON_GROUPS: readonly [heading: string, names: readonly string[]][] = [
  [
    'Programs for your files',
    [
      ...['gotenberg-and-stirling-pdf', 'squoosh', 'compressing-pdfs-with-ghostscript'],
      ...['merging-pdfs-with-qpdf-pdfunite-and-pdf-lib', 'reading-scans-with-tesseract'],
      ...['encoding-images-with-the-defaults-of-sharp', 'screenshots-with-playwright'],
      'hosting-files-here-and-in-a-bucket',
    ],
  ],
  [
    'For developers',
    [
      ...['mcp-and-rest', 'percentages-in-decimal-and-binary'],
      ...['counting-calls-windows-buckets-and-logs', 'npm-start-and-wrangler-dev'],
    ],
  ],
];
