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
});
