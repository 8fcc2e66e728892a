import { describe, expect, it } from 'vitest';
import { checkSettings, readConfig } from './config.ts';

const SECRET = 'a-secret-of-sixteen';

describe('the settings', () => {
  it('are found wrong by name, without their values, which may be secret', () => {
    const findings = checkSettings({ MEDIA_SECRET: 'hunter2', MEDIA_URL: 'http://me:word@host' });
    expect(findings).toHaveLength(2);
    expect(findings.join()).toContain('MEDIA_SECRET must have at least 16 characters');
    expect(findings.join()).not.toMatch(/hunter2|word@/);
  });

  it('must have BASE_URL and MEDIA_SECRET', () => {
    const config = readConfig({});
    expect('findings' in config && config.findings.map((text) => text.split(' ')[0])).toEqual([
      'BASE_URL',
      'MEDIA_SECRET',
    ]);
  });

  it('keep addresses as links to them are parsed', () => {
    expect(
      readConfig({ BASE_URL: 'https://Tools.Example.com:443/', MEDIA_SECRET: SECRET }),
    ).toMatchObject({
      baseUrl: 'https://tools.example.com',
      storageUrl: 'https://tools.example.com',
    });
  });

  it('take no path into BASE_URL', () => {
    expect(checkSettings({ BASE_URL: 'https://example.com/tools' })).toEqual([
      'BASE_URL must have no path',
    ]);
  });

  it('take EGRESS_HOSTS on loopback only, to loopback only', () => {
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

  it('take a resolver by https, or by http on loopback', () => {
    const wrong = (value: string) => checkSettings({ DNS_OVER_HTTPS_URL: value }).length > 0;
    expect(wrong('https://dns.example/dns-query')).toBe(false);
    expect(wrong('http://127.0.0.1:53/dns-query')).toBe(false);
    expect(wrong('http://dns.example/dns-query')).toBe(true);
    expect(wrong('dns.example')).toBe(true);
  });
});
