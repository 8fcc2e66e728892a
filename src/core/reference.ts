/** Defines the pages of the API reference, which scripts/reference generates and src/site/docs renders. */

export interface ReferenceField {
  name: string;
  /** The JSON type, such as `array of integer`. */
  type: string;
  /** The meaning of the field. Text between backticks is code. */
  meaning: string;
  isRequired: boolean;
  /** The fields of an object, or of the objects in an array. */
  fields: ReferenceField[];
}

export interface FieldGroup {
  /** The title: `Parameters`, `Result` or another heading. */
  title: string;
  fields: ReferenceField[];
  /** Whether the fields are collapsed below the fields of the previous group. The title then summarizes them. */
  isFolded?: true;
}

/** Highlighted code, as HTML with a class for each color. */
export interface CodeSample {
  /** The name of the language (`curl`, `TypeScript`, `Python`), or the heading of a result. */
  name: string;
  html: string;
}

/** A control in the form that sends a request. */
export interface RequestField {
  name: string;
  /** The JSON type, such as `array of integer`. */
  type: string;
  isRequired: boolean;
  /** A single-line string, a multi-line string, a number, one of `values`, or any other value as JSON. */
  control: 'line' | 'text' | 'number' | 'choice' | 'json';
  values?: string[];
  /** The values that this server does not support, because the tools that they name are switched off. */
  off?: readonly string[];
  minimum?: number;
  maximum?: number;
  /** The default of the API, as JSON. */
  standard?: string;
  /** Whether a required string can be empty. */
  mayBeEmpty?: true;
}

export interface RequestParameter extends RequestField {
  in: 'path' | 'query' | 'header';
  /** The value in the example. A placeholder is in uppercase letters. */
  example?: string;
}

/** A request that code samples show. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
  /**
   * The form to send instead of JSON, with its fields and file names. `part` is the name of the form field for each
   * file.
   */
  form?: { fields: Record<string, unknown>; part: string; files: readonly string[] };
  /**
   * How the code uses the response: `json`, `text`, or the name of the file to save. The name `result.*` has the
   * extension that matches the response. Default: the code ignores the response.
   */
  reads?: string;
  /** Whether the response is JSON for some inputs, although `reads` is the name of a file. */
  mayBeJson?: boolean;
}

/** The form that sends a request from the page. */
export interface ReferenceRequest {
  method: string;
  path: string;
  parameters: RequestParameter[];
  /** The fields of the body. Empty if the body is entered as JSON. */
  fields: RequestField[];
  /** The initial JSON body. */
  body?: unknown;
  /** The name of the file part. If it is set, the fields of the body become parts too. */
  part?: string;
  /** The request in the code samples. The URL contains the names of the path parameters in braces. */
  example: SentRequest;
  /** The name of the file that a tool returns, and the body values for which it returns a file. */
  file?: { name: string; with: Readonly<Record<string, string>> };
}

export interface ReferenceEntry {
  /** The name of a tool, or the operationId of an endpoint. */
  id: string;
  title: string;
  /** The purpose of the tool or endpoint, in one sentence. */
  purpose: string;
  method: string;
  path: string;
}

export interface ReferencePage extends ReferenceEntry {
  /** The page's heading in the list of pages. */
  group: string;
  /** The text, with one string per paragraph. */
  text: string[];
  /** Explains when the response is JSON and when it is a file. It is shown before the text. */
  warning?: string;
  /** Whether the page describes a tool. Each tool also has a page on which people use it. */
  isTool: boolean;
  groups: FieldGroup[];
  responses: { status: string; description: string }[];
  calls: CodeSample[];
  /** The example response, in each of its formats. Empty if the response has no body. */
  results: CodeSample[];
  /** An example of an error response. Omitted for endpoints, and for tools that accept an empty call. */
  error?: CodeSample;
  request: ReferenceRequest;
}

/** The example on /developers. */
export interface FirstCall {
  calls: CodeSample[];
  /** The same call with a key. `YOUR_KEY` is its placeholder. */
  callsWithKey: CodeSample[];
  result: CodeSample;
}

/** The list of all pages, by heading. */
export type ReferenceIndex = {
  group: string;
  /** The pages under a heading. `words` are the search terms of a page besides its title and path. */
  entries: (ReferenceEntry & { words: string })[];
}[];
