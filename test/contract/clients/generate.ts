/**
 * Generates typed clients from an OpenAPI document: `node generate.ts DOCUMENT FOLDER`. The generators need the
 * compiler API of TypeScript 5 or 6, which TypeScript 7 lacks.
 */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from './typescript.ts';

const COMPILER = new URL('./typescript.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? COMPILER : specifier, context),
});

const [document = '', folder = ''] = process.argv.slice(2);
const { default: openapiTS, astToString } = await import('openapi-typescript');
const { createClient } = await import('@hey-api/openapi-ts');

const BLOB = ts.factory.createTypeReferenceNode('Blob');
const types = await openapiTS(pathToFileURL(document), {
  transform: (schema) => ('contentMediaType' in schema ? BLOB : undefined),
});
writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(types));

await createClient({
  input: document,
  output: join(folder, 'hey-api'),
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
});
