/** A request of any endpoint as curl, TypeScript and Python code. */
import { type Call, pythonLiteral, quoted } from '../../src/site/tool/call-code.ts';

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

export function requestCode({ method, url, headers, body }: SentRequest): Call[] {
  const sent = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
  const names = Object.entries(sent);
  const curl = [
    `curl -sS ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}${url.includes('?') ? quoted(url) : url}`,
    ...names.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(names.length > 0 ? [`  headers: ${literal(sent)},`] : []),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
  ];
  const typescript = [
    `const response = await fetch('${url}'${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});`,
    'if (!response.ok) throw new Error((await response.json()).error);',
  ].join('\n');
  const { 'Content-Type': _, ...others } = sent;
  const python = [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(Object.keys(others).length > 0 ? [`    headers=${pythonLiteral(others)},`] : []),
    ...(body === undefined ? [] : [`    json=${pythonLiteral(body)},`]),
    ')',
    'response.raise_for_status()',
  ].join('\n');
  return [
    { language: 'curl', code: curl },
    { language: 'TypeScript', code: typescript },
    { language: 'Python', code: python },
  ];
}

const literal = (headers: Record<string, string>): string =>
  `{ ${Object.entries(headers)
    .map(([name, value]) => `'${name}': '${value}'`)
    .join(', ')} }`;
