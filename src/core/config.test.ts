import { describe, expect, it } from 'vitest';
import { checkSettings, readConfig } from './config.ts';

const SECRET = 'a-secret-of-sixteen';

describe('the settings', () => {
  it('are reported by name when invalid, without their values, which may be secret', () => {
    const findings = checkSettings({ MEDIA_SECRET: 'hunter2', MEDIA_URL: 'http://me:word@host' });
    expect(findings).toHaveLength(2);
    expect(findings.join()).toContain('MEDIA_SECRET must have at least 16 characters');
    expect(findings.join()).not.toMatch(/hunter2|word@/);
  });

  it('require BASE_URL and MEDIA_SECRET', () => {
    const config = readConfig({});
    expect('findings' in config && config.findings.map((text) => text.split(' ')[0])).toEqual([
      'BASE_URL',
      'MEDIA_SECRET',
    ]);
  });

  it('normalize addresses the way links are parsed', () => {
    expect(
      readConfig({ BASE_URL: 'https://Tools.Example.com:443/', MEDIA_SECRET: SECRET }),
    ).toMatchObject({
      baseUrl: 'https://tools.example.com',
      storageUrl: 'https://tools.example.com',
    });
  });

  it('accept a webhook over https, or over http on loopback', () => {
    for (const url of ['https://hooks.example/a?b=c', 'http://127.0.0.1:9100/']) {
      expect(checkSettings({ ABUSE_WEBHOOK: url }), url).toEqual([]);
    }
    for (const url of ['http://hooks.example/', 'ftp://localhost/', 'localhost:9100', 'x']) {
      expect(checkSettings({ ABUSE_WEBHOOK: url }), url).toEqual([
        'ABUSE_WEBHOOK must be an https URL, except on loopback',
      ]);
    }
  });

  it('list hosts without ports, and origins', () => {
    const right = { ALLOWED_HOSTS: 'a.example, [::1],192.168.1.5', ALLOWED_ORIGINS: '*' };
    expect(checkSettings(right)).toEqual([]);
    for (const hosts of ['a.example:8787', 'https://a.example', 'a b', 'a/b', 'me@a.example']) {
      expect(checkSettings({ ALLOWED_HOSTS: hosts }), hosts).toHaveLength(1);
    }
    for (const origins of ['a.example', 'https://a.example/path', 'https://a.example?', 'null']) {
      expect(checkSettings({ ALLOWED_ORIGINS: origins }), origins).toHaveLength(1);
    }
  });

  it('reject a path in BASE_URL', () => {
    expect(checkSettings({ BASE_URL: 'https://example.com/tools' })).toEqual([
      'BASE_URL must have no path',
    ]);
  });

  it('list the models and validate them', () => {
    const given = {
      BASE_URL: 'https://example.com',
      MEDIA_SECRET: SECRET,
      OPENAI_BASE_URL: 'http://localhost:11434/v1/',
      MODEL_TEXT: 'llama3.2:3b',
      MODEL_ORDER: 'openai, workers-ai',
    };
    expect(readConfig(given)).toMatchObject({
      models: {
        order: ['openai', 'workers-ai'],
        openai: { baseUrl: 'http://localhost:11434/v1', models: { text: 'llama3.2:3b' } },
      },
    });
    const wrong = {
      OPENAI_BASE_URL: 'localhost:11434',
      OPENAI_API_KEY: 'sk 1',
      MODEL_TEXT: 'a model',
      MODEL_ORDER: 'openai,ollama',
    };
    expect(checkSettings(wrong).map((text) => text.split(' ')[0])).toEqual(Object.keys(wrong));
    for (const order of ['openai,openai', ',', 'openai,']) {
      expect(checkSettings({ MODEL_ORDER: order })).toHaveLength(1);
    }
    expect(checkSettings({ MODEL_ORDER: 'openai' })).toEqual([]);
  });

  it('enable GitHub sign-in when ID and secret are set, by default at github.com', () => {
    const base = { BASE_URL: 'https://tools.example', MEDIA_SECRET: SECRET };
    const app = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' };
    expect(readConfig(base)).toMatchObject({ github: undefined });
    expect(readConfig({ ...base, ...app })).toMatchObject({
      github: { url: 'https://github.com', apiUrl: 'https://api.github.com' },
    });
    const own = {
      GITHUB_URL: 'https://git.example/',
      GITHUB_API_URL: 'https://git.example/api/v3',
    };
    expect(readConfig({ ...base, ...app, ...own })).toMatchObject({
      github: { url: 'https://git.example', apiUrl: 'https://git.example/api/v3' },
    });
    expect(readConfig({ ...base, GITHUB_CLIENT_ID: 'id' })).toEqual({
      findings: [
        'GITHUB_CLIENT_SECRET is not set: sign-in with GitHub needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET',
      ],
    });
  });

  it('report each missing single sign-on setting by name', () => {
    const base = { BASE_URL: 'https://tools.example', MEDIA_SECRET: SECRET };
    const all = {
      OIDC_ISSUER: 'https://login.example',
      OIDC_CLIENT_ID: 'tools',
      OIDC_CLIENT_SECRET: 'secret',
    };
    expect(readConfig(base)).toMatchObject({ oidc: undefined, requireSignIn: false });
    const domains = { OIDC_ALLOWED_DOMAINS: 'Example.com, b.example', REQUIRE_SIGN_IN: 'on' };
    expect(readConfig({ ...base, ...all, ...domains })).toMatchObject({
      oidc: { issuer: 'https://login.example', allowedDomains: ['example.com', 'b.example'] },
      requireSignIn: true,
    });
    for (const name of Object.keys(all)) {
      const { findings } = readConfig({ ...base, ...all, [name]: '' }) as { findings: string[] };
      expect(findings).toEqual([expect.stringContaining(`${name} is not set`)]);
    }
    expect(checkSettings({ OIDC_ISSUER: 'http://login.example' })).toHaveLength(1);
    for (const wrong of ['@example.com', 'example', 'a.example b.example', 'https://a.example']) {
      expect(checkSettings({ OIDC_ALLOWED_DOMAINS: wrong }), wrong).toHaveLength(1);
    }
  });

  it('accept one media worker or several', () => {
    const base = { BASE_URL: 'https://tools.example', MEDIA_SECRET: SECRET };
    const several = { MEDIA_URLS: 'https://a.lan/, http://10.0.0.2:8080' };
    expect(readConfig(base)).toMatchObject({ mediaUrls: [] });
    expect(readConfig({ ...base, ...several })).toMatchObject({
      mediaUrls: ['https://a.lan', 'http://10.0.0.2:8080'],
    });
    expect(readConfig({ ...base, ...several, MEDIA_URL: 'http://a.lan' })).toEqual({
      findings: ['MEDIA_URL and MEDIA_URLS are both set: keep only one'],
    });
    for (const wrong of ['a.lan', 'http://a.lan,', 'http://a.lan, http://a.lan']) {
      expect(checkSettings({ MEDIA_URLS: wrong }), wrong).toHaveLength(1);
    }
    const hosts = { EGRESS_HOSTS: '{"a.test":"127.0.0.1:1"}' };
    const mixed = { MEDIA_URLS: 'http://127.0.0.1:1, http://10.0.0.2:8080' };
    expect(readConfig({ ...base, ...hosts, ...mixed })).toHaveProperty('findings');
  });

  it('accept EGRESS_HOSTS only on loopback and only for loopback addresses', () => {
    const settings = { BASE_URL: 'https://tools.example', MEDIA_SECRET: SECRET };
    const EGRESS_HOSTS = '{"a.test":"127.0.0.1:9100"}';
    const findingsOf = (more: Record<string, string>) => {
      const config = readConfig({ ...settings, ...more });
      return 'findings' in config ? config.findings.join() : '';
    };
    expect(findingsOf({ EGRESS_HOSTS })).toMatch(/EGRESS_HOSTS is for tests/);
    expect(findingsOf({ EGRESS_HOSTS, MEDIA_URL: 'http://media.example' })).toMatch(/EGRESS_HOSTS/);
    expect(findingsOf({ EGRESS_HOSTS, MEDIA_URL: 'http://127.0.0.1:1' })).toBe('');
    for (const wrong of ['{', '[]', '{"a":"10.0.0.1:80"}', '{"a":"127.0.0.1"}', '{"a":1}', '"x"']) {
      expect(checkSettings({ EGRESS_HOSTS: wrong })).toHaveLength(1);
    }
  });

  it('accept a resolver over https, or over http on loopback', () => {
    const wrong = (value: string) => checkSettings({ DNS_OVER_HTTPS_URL: value }).length > 0;
    expect(wrong('https://dns.example/dns-query')).toBe(false);
    expect(wrong('http://127.0.0.1:53/dns-query')).toBe(false);
    expect(wrong('http://dns.example/dns-query')).toBe(true);
    expect(wrong('dns.example')).toBe(true);
  });
});
