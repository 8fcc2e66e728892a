import { describe, expect, it } from 'vitest';
import { readAllowedOrigins } from '../core/allowed-origins.ts';
import type { ToolError } from '../core/errors.ts';
import { CrossOriginPolicy } from './cross-origin-policy.ts';

interface Settings {
  baseUrl?: string;
  storageUrl?: string;
  hosts?: string;
  origins?: string;
}

const HOME = 'http://localhost:8787';
const PUBLIC = 'https://tools.example';

const pagesOf = ({ baseUrl = HOME, storageUrl = baseUrl, hosts, origins }: Settings) =>
  new CrossOriginPolicy(readAllowedOrigins(hosts, origins, baseUrl, storageUrl));

/** Returns the status of the refusal, or 200 if the request is accepted. */
function statusOf(settings: Settings, url: string, init: RequestInit = {}): number {
  try {
    pagesOf(settings).check(new Request(url, init));
    return 200;
  } catch (error) {
    return (error as ToolError).status;
  }
}

describe('the Host check', () => {
  it.each([
    [{}, 'http://localhost:8787', 200],
    [{}, 'http://localhost:1', 200],
    [{}, 'http://LOCALHOST', 200],
    [{}, 'http://files.localhost:8787', 200],
    [{}, 'http://127.0.0.1:8787', 200],
    [{}, 'http://127.1.2.3', 200],
    [{}, 'http://[::1]:8787', 200],
    [{}, 'http://evil.example:8787', 421],
    [{}, 'http://localhost.evil.example', 421],
    [{}, 'http://127.0.0.1.evil.example', 421],
    [{}, 'http://evil-localhost', 421],
    [{}, 'http://0.0.0.0:8787', 421],
    [{}, 'http://192.168.1.5:8787', 421],
    [{}, 'http://[fe80::1]', 421],
    [{ hosts: '192.168.1.5, Tools.LAN' }, 'http://192.168.1.5:8787', 200],
    [{ hosts: '192.168.1.5, Tools.LAN' }, 'http://tools.lan', 200],
    [{ hosts: '192.168.1.5, Tools.LAN' }, 'http://other.lan', 421],
    [{ hosts: '*' }, 'http://evil.example', 200],
    [{ storageUrl: 'http://files.lan' }, 'http://files.lan/files/x/y', 200],
    [{ baseUrl: PUBLIC }, 'https://tools.example', 200],
    [{ baseUrl: PUBLIC }, 'http://localhost:8787', 200],
    [{ baseUrl: PUBLIC, storageUrl: 'https://files.example' }, 'https://files.example/', 200],
    [{ baseUrl: PUBLIC }, 'https://evil.example', 421],
  ])('with settings %o returns, for %s, status %d', (settings, url, status) => {
    expect(statusOf(settings, url)).toBe(status);
  });

  it('checks every request, regardless of earlier ones', () => {
    const pages = pagesOf({});
    for (let round = 0; round < 2; round++) {
      expect(() => pages.check(new Request('http://localhost:8787/health'))).not.toThrow();
      expect(() => pages.check(new Request('http://evil.example/health'))).toThrow(/ALLOWED_HOSTS/);
    }
  });
});

describe('the cross-origin check of a web page’s request', () => {
  const post = (headers: Record<string, string>) => ({ method: 'POST', headers });
  const url = `${HOME}/api/v1/tools/execute`;

  it.each([
    [{}, {}, 200],
    [{}, { Origin: HOME }, 200],
    [{}, { Origin: 'http://localhost:3000' }, 200],
    [{}, { Origin: 'https://127.0.0.1' }, 200],
    [{}, { Origin: 'https://evil.example' }, 403],
    [{}, { Origin: 'http://localhost.evil.example' }, 403],
    [{}, { Origin: 'null' }, 403],
    [{}, { Origin: 'nonsense' }, 403],
    [{}, { Origin: 'ftp://localhost' }, 403],
    [{}, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{}, { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{}, { 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{}, { 'Sec-Fetch-Site': 'same-site' }, 403],
    [{}, { 'Sec-Fetch-Site': 'none' }, 200],
    [{ origins: 'https://a.example, https://b.example' }, { Origin: 'https://b.example' }, 200],
    [{ origins: 'https://a.example' }, { Origin: 'https://b.example' }, 403],
    [{ origins: 'vscode-webview://abc' }, { Origin: 'vscode-webview://abc' }, 200],
    [{ origins: 'https://a.example' }, { Origin: 'http://localhost:3000' }, 200],
    [{ origins: '*' }, { Origin: 'https://evil.example' }, 200],
    [{ baseUrl: PUBLIC }, { Origin: 'https://evil.example' }, 200],
    [{ baseUrl: PUBLIC, origins: 'https://a.example' }, { Origin: PUBLIC }, 200],
    [{ baseUrl: PUBLIC, origins: 'https://a.example' }, { Origin: 'http://localhost:3000' }, 403],
  ])('with settings %o and headers %o returns %d', (settings, headers, status) => {
    expect(statusOf(settings, url, post(headers))).toBe(status);
  });

  it('treats an origin with the requested host as same-origin behind a TLS proxy', () => {
    const settings = { hosts: 'tools.lan' };
    const ours = post({ Origin: 'https://tools.lan' });
    expect(statusOf(settings, 'http://tools.lan/theme', ours)).toBe(200);
    expect(statusOf(settings, 'http://localhost:8787/theme', ours)).toBe(403);
  });

  it('allows cross-site navigation and embedded files but no other cross-site reads', () => {
    const from = (mode: string) => ({
      headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': mode },
    });
    for (const path of ['/', '/search?q=a', '/tools/encode_base64', '/abc', '/files/1/a.png']) {
      expect(statusOf({}, HOME + path, from('navigate')), path).toBe(200);
    }
    for (const path of ['/abc', '/files/1/a.png']) {
      expect(statusOf({}, HOME + path, from('no-cors')), path).toBe(200);
    }
    for (const path of ['/search?q=a', '/api/v1/tools', '/', '/tools/a']) {
      expect(statusOf({}, HOME + path, from('no-cors')), path).toBe(403);
    }
    expect(statusOf({}, `${HOME}/api/v1/tools`, { headers: { Origin: 'https://e.example' } })).toBe(
      200,
    );
  });
});

describe('the CORS header', () => {
  it.each([
    [{}, undefined, null],
    [{}, 'http://localhost:3000', 'http://localhost:3000'],
    [{}, 'https://evil.example', null],
    [{}, 'null', null],
    [{ origins: 'https://a.example' }, 'https://a.example', 'https://a.example'],
    [{ origins: '*' }, 'https://evil.example', '*'],
    [{ baseUrl: PUBLIC }, 'https://evil.example', '*'],
    [{ baseUrl: PUBLIC }, undefined, '*'],
  ])('with settings %o for origin %s is %s', (settings, Origin, grant) => {
    const request = new Request(HOME, { headers: Origin ? { Origin } : {} });
    expect(pagesOf(settings).grant(request)).toBe(grant);
  });
});
