/**
 * Provides a fake model server that implements the OpenAI protocol. The model's name, or `behave:NAME` in the last
 * message, selects its behavior, including errors. The model `say:TEXT` (URI-encoded) responds with that text. `|`
 * separates the texts for successive requests.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Behavior = (request: Received, response: ServerResponse) => void;

interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: requests of every shape
  body: any;
}

export interface ModelServer {
  /** The base URL, including `/v1`. */
  url: string;
  stop(): Promise<void>;
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
/** The additional delay of the last slow response, in milliseconds. */
let slowness = 0;
/** Functions that answer the held requests `behave:held MARK`, by mark. */
const held = new Map<string, (() => void)[]>();
const released = new Set<string>();
/** A grayscale JPEG image of one pixel. */
const JPEG =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z';

/**
 * Starts the server.
 * @param requested called with the path of every request to a model
 */
export async function startModelServer(requested?: (path: string) => void): Promise<ModelServer> {
  const open = new Set<{ text: string }>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const mark = searchParams.get('mark') ?? '';
    if (pathname === '/open') {
      response.end(String([...open].filter(({ text }) => text.includes(mark)).length));
      return;
    }
    if (pathname === '/release') {
      release(mark);
      response.end();
      return;
    }
    const asking = { text: '' };
    open.add(asking);
    response.once('close', () => open.delete(asking));
    if (request.url?.match(/^\/v1\/image[./]/)) {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.from(PNG, 'base64'));
      return;
    }
    requested?.(request.url ?? '');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asking.text = Buffer.concat(chunks).toString();
    const body = JSON.parse(asking.text);
    answer({ path: request.url ?? '', headers: request.headers, body }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, stop: () => close(server) };
}

/** Answers all held requests with this mark, including later ones. */
function release(mark: string): void {
  released.add(mark);
  for (const reply of held.get(mark) ?? []) reply();
  held.delete(mark);
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function answer(received: Received, response: ServerResponse): void {
  const { model, messages = [] } = received.body;
  const last = JSON.stringify(messages.at(-1)?.content ?? received.body.prompt ?? '');
  const name = /behave:([\w-]+)/.exec(last)?.[1] ?? model;
  const behavior = BEHAVIORS[name];
  if (behavior) behavior(received, response);
  else if (received.path === '/v1/images/generations') image({ b64_json: PNG })(received, response);
  else if (received.path === '/v1/embeddings') embed(received, response);
  else say(textOf(received), received, response);
}

/** Returns the response of a model that has no special behavior. */
function textOf({ body: { model, messages } }: Received): string {
  if (model === 'writer') return writingOf(messages[0].content);
  if (model === 'viewer') return '{"panels":[]}';
  if (!model.startsWith('say:')) return 'A plain answer of the model.';
  const texts = model.slice(4).split('|').map(decodeURIComponent);
  return texts[(messages.length - 2) >> 1] ?? texts.at(-1);
}

/**
 * Responds as the model `writer`, which follows the tools' prompts. Like many real models, it adds text such as
 * preambles.
 */
function writingOf(system: string): string {
  const preamble = 'Sure! Here is what you asked for:\n\n';
  if (system.includes('SQL')) return `${preamble}\`\`\`sql\nSELECT 1;\n\`\`\`\n\nThis selects 1.`;
  if (system.includes('draft the body of an email'))
    return `${preamble}Subject: Hello\n\nDear all,\n\nHello.`;
  if (!system.includes('outline')) return `${preamble}"Words of the model."`;
  const sections = [1, 2, 3, 4, 5].map((number) => `## ${number}. Part\n### ${number}.1 Piece`);
  return `${preamble}# Title\n## Introduction\n${sections.join('\n')}\n## Conclusion\n## FAQ\n- So?`;
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response
    .writeHead(status, { 'Content-Type': 'application/json', ...headers })
    .end(JSON.stringify(body));

const event = (response: ServerResponse, data: unknown) =>
  response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);

const piece = (content: string, finish: string | null = null) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: content === '' ? {} : { content }, finish_reason: finish }],
});

const USAGE = { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 };

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  event(response, { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });
}

/** Sends a correct response. It is streamed, or includes the usage in a stream, if the request asks for that. */
function say(
  text: string,
  { body }: Received,
  response: ServerResponse,
  finish = 'stop',
  usage: typeof USAGE | null = USAGE,
): void {
  if (!body.stream) {
    const message = { role: 'assistant', content: text };
    json(response, 200, { choices: [{ index: 0, message, finish_reason: finish }], usage });
    return;
  }
  begin(response);
  for (const part of text.match(/[\s\S]{1,7}/gu) ?? []) event(response, piece(part));
  event(response, piece('', finish));
  if (usage && body.stream_options?.include_usage) event(response, { choices: [], usage });
  event(response, '[DONE]');
  response.end();
}

const refuse =
  (status: number, error: Record<string, unknown>, headers = {}): Behavior =>
  (_, response) =>
    json(response, status, { error }, headers);

const image =
  (data: Record<string, unknown>): Behavior =>
  (_, response) =>
    json(response, 200, { created: 1, data: [data] });

const embed: Behavior = ({ body }, response) =>
  json(response, 200, {
    data: body.input
      .map((text: string, index: number) => ({ index, embedding: [text.length, index] }))
      .reverse(),
    usage: { prompt_tokens: 5, total_tokens: 5 },
  });

/** Responds as the model `embedder`. It maps texts that share words to similar vectors (a bag of words). */
const embedWords: Behavior = ({ body }, response) =>
  json(response, 200, {
    data: body.input.map((text: string, index: number) => ({ index, embedding: bagOf(text) })),
    usage: { prompt_tokens: 5, total_tokens: 5 },
  });

const DIMENSIONS = 256;

/** Each word has a different direction that is almost orthogonal to all others. */
function bagOf(text: string): number[] {
  const bag = Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}{4,}/gu) ?? []) {
    const direction = createHash('shake256', { outputLength: DIMENSIONS / 8 })
      .update(word)
      .digest();
    for (let index = 0; index < DIMENSIONS; index += 1)
      bag[index]! += ((direction[index >> 3]! >> (index & 7)) & 1) * 2 - 1;
  }
  return bag;
}

/** Refuses requests with this field, as real servers refuse fields that they do not know. */
const unless =
  (field: string, message: string): Behavior =>
  (received, response) => {
    if (field in received.body) refuse(400, { message })(received, response);
    else say(`without ${field}`, received, response);
  };

const BEHAVIORS: Record<string, Behavior> = {
  embedder: embedWords,
  echo: (received, response) => say(JSON.stringify(received), received, response),
  whole: ({ body, ...rest }, response) =>
    say('not streamed', { ...rest, body: { ...body, stream: false } }, response),
  uncounted: (received, response) => say('x'.repeat(400), received, response, 'stop', null),
  length: (received, response) => say('This was cut', received, response, 'length'),
  filtered: (received, response) => say('', received, response, 'content_filter'),
  empty: (received, response) => say(' \n', received, response),
  thinking: (received, response) => say('<think>Hm.</think>\n\nDone.', received, response),
  error: refuse(500, { message: 'out of memory at /srv/secret/path' }),
  unauthorized: refuse(401, {
    message: 'Incorrect API key provided: sk-1234',
    code: 'invalid_api_key',
  }),
  limited: refuse(429, { message: 'Slow down' }, { 'Retry-After': '7' }),
  'limited-date': (received, response) =>
    refuse(
      429,
      {},
      { 'Retry-After': new Date(Date.now() + 90_000).toUTCString() },
    )(received, response),
  'limited-silent': refuse(429, {}),
  overloaded: refuse(503, { message: 'busy' }, { 'Retry-After': '3' }),
  unsafe: refuse(400, {
    message: 'Your request was rejected: violence.',
    code: 'moderation_blocked',
  }),
  redirect: (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  hangs: () => {},
  slow: (received, response) => {
    // The delays vary, so that the calls do not arrive in waves.
    slowness = (slowness + 5) % 100;
    setTimeout(() => say('Words, at last.', received, response), 200 + slowness);
  },
  held: (received, response) => {
    const mark = /behave:held ([\w-]+)/.exec(JSON.stringify(received.body))?.[1] ?? '';
    const reply = () => say('Words, at last.', received, response);
    if (released.has(mark)) reply();
    else held.set(mark, [...(held.get(mark) ?? []), reply]);
  },
  stalls: (_, response) => {
    begin(response);
    event(response, piece('x'.repeat(80)));
  },
  cut: (_, response) => {
    begin(response);
    event(response, piece('This is cut o'));
    setTimeout(() => response.destroy(), 20);
  },
  'counted-cut': (_, response) => {
    begin(response);
    event(response, { ...piece('This is cut o'), usage: USAGE });
    response.end();
  },
  ends: (_, response) => {
    begin(response);
    event(response, piece('This ends too so'));
    response.end();
  },
  garbled: (_, response) => {
    begin(response);
    event(response, '{"choices":[{"delta":');
    response.end();
  },
  broken: (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"choices":[{"mess'),
  html: (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome to nginx</h1>'),
  'error-within': (_, response) => {
    begin(response);
    event(response, { error: { message: 'the GPU fell off the bus' } });
    response.end();
  },
  'limited-within': (_, response) => {
    begin(response);
    event(response, { error: { code: 429, message: 'slow down' } });
    // The stream stays open, as on a server that does not detect its own error.
  },
  'unsafe-within': (_, response) => {
    begin(response);
    event(response, { error: { code: 'content_filter', message: 'not this' } });
  },
  talks: (_, response) => {
    begin(response);
    const timer = setInterval(() => event(response, piece('and on '.repeat(20))), 1);
    response.on('close', () => clearInterval(timer));
  },
  endless: (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
  'no-stream-options': unless('stream_options', "Unrecognized request argument: 'stream_options'"),
  'no-schema': unless('response_format', 'response_format is not supported by this model'),
  'new-tokens': unless(
    'max_tokens',
    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
  ),
  'no-format': (received, response) => {
    if ('response_format' in received.body) {
      refuse(400, { message: "Unknown parameter: 'response_format'." })(received, response);
    } else image({ b64_json: PNG })(received, response);
  },
  jpeg: image({ b64_json: JPEG }),
  'not-an-image': image({ b64_json: Buffer.from('hello').toString('base64') }),
  'no-image': image({}),
  'image-beside': ({ headers }, response) =>
    json(response, 200, { data: [{ url: `http://${headers.host}/v1/image.png` }] }),
  'image-elsewhere': image({ url: 'http://127.0.0.1:9/secret.png' }),
};
