/** Describes one operation per tool, with that tool's parameters and results, for the API description (OpenAPI). */
import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { type FileInput, linkNameOf, partName, type Tool } from '../core/define-tool.ts';
import { parametersOf } from './json-schema.ts';
import { filesText } from './limit-facts.ts';
import { accepted, jobOf } from './openapi-jobs.ts';
import { bytesOf, executable, pascal, resultOf } from './openapi-results.ts';
import { idempotencyParameter, json, preferParameter, webhook } from './openapi-shared.ts';
import { errorsOf, FILES_AS_LINKS, filesOf, resultHeaders } from './openapi-tool-responses.ts';

const schemas = new Map(
  executable.map((tool) => [
    tool.name,
    parametersOf(tool).meta({ id: `${pascal(tool.name)}Parameters` }),
  ]),
);

/** Returns the schema of a tool's parameters. It is a shared component that several operations reference. */
export const parametersSchemaOf = ({ name }: Tool): z.ZodObject => schemas.get(name)!;

/**
 * Returns the schema of a form with the parameters and the files as parts. A file is required unless the tool also
 * accepts a link.
 */
function formOf(tool: Tool, files: FileInput): z.ZodObject {
  const isPdf = files.kinds.every((kind) => kind === 'pdf');
  const bytes = bytesOf(isPdf ? 'application/pdf' : 'application/octet-stream');
  const part = files.max > 1 ? z.array(bytes).min(files.min).max(files.max) : bytes;
  const name = partName(files);
  const link = linkNameOf(tool);
  const meaning = `${files.max > 1 ? 'The files as bytes, in order.' : 'The file as bytes.'} ${filesText(files)}.`;
  return parametersOf(tool)
    .safeExtend({
      [name]: link
        ? part.optional().describe(`${meaning} Either \`${name}\` or \`${link}\` is required.`)
        : part.describe(meaning),
      webhook,
    })
    .meta({
      id: `${pascal(tool.name)}Form`,
      ...(link && { oneOf: [{ required: [name] }, { required: [link] }] }),
    });
}

function operationOf(tool: Tool): ZodOpenApiOperationObject {
  const { name, title, description, jsonOrFile, produces } = tool;
  return {
    operationId: pascal(name).replace(/^./, (letter) => letter.toLowerCase()),
    summary: title,
    description: [description, jsonOrFile, produces && FILES_AS_LINKS].filter(Boolean).join(' '),
    tags: ['Tools'],
    parameters: [preferParameter, idempotencyParameter],
    requestBody: {
      required: true,
      // A tool that takes files is described only as a form. If a JSON body were also described, some client generators
      // would use only the JSON body, and their clients could not send files.
      content: tool.files
        ? { 'multipart/form-data': { schema: formOf(tool, tool.files) } }
        : json(parametersSchemaOf(tool).safeExtend({ webhook })),
    },
    responses: {
      200: {
        description: produces ? 'The file, or a link to it' : 'The result',
        headers: resultHeaders,
        content: { ...filesOf(produces ?? []), ...json(resultOf(tool)) },
      },
      202: accepted(jobOf(tool)),
      ...errorsOf(tool),
    },
  };
}

export const toolOperationPaths: ZodOpenApiPathsObject = Object.fromEntries(
  executable.map((tool) => [`/api/v1/tools/${tool.name}`, { post: operationOf(tool) }]),
);
