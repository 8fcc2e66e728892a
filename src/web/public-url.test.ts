import { describe, expect, it } from 'vitest';
import { checkUrl, isPublicAddress, parseWebUrl, withScheme } from './public-url.ts';

/**
 * The first and the last address of each block in IANA's special-purpose registries (IPv4 and IPv6) and of the
 * multicast blocks.
 */
const SPECIAL = `
  0.0.0.0 0.255.255.255  10.0.0.0 10.255.255.255  100.64.0.0 100.127.255.255  127.0.0.0 127.255.255.255
  169.254.0.0 169.254.255.255  172.16.0.0 172.31.255.255  192.0.0.0 192.0.0.255  192.0.2.0 192.0.2.255
  192.31.196.0 192.31.196.255  192.52.193.0 192.52.193.255  192.88.99.0 192.88.99.255
  192.168.0.0 192.168.255.255  192.175.48.0 192.175.48.255  198.18.0.0 198.19.255.255
  198.51.100.0 198.51.100.255  203.0.113.0 203.0.113.255  224.0.0.0 239.255.255.255  240.0.0.0 255.255.255.255
  :: ::1  ::ffff:0:0 ::ffff:ffff:ffff  ::ffff:8.8.8.8 ::8.8.8.8  64:ff9b:: 64:ff9b::ffff:ffff
  64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff  100:: 100::ffff:ffff:ffff:ffff  100:0:0:1:: 100::1:ffff:ffff:ffff:ffff
  2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff  2001:1::1 2001:1::3  2001:2:: 2001:2:0:ffff:ffff:ffff:ffff:ffff
  2001:3:: 2001:3:ffff:ffff:ffff:ffff:ffff:ffff  2001:4:112:: 2001:4:112:ffff:ffff:ffff:ffff:ffff
  2001:10:: 2001:1f:ffff:ffff:ffff:ffff:ffff:ffff  2001:20:: 2001:2f:ffff:ffff:ffff:ffff:ffff:ffff
  2001:30:: 2001:3f:ffff:ffff:ffff:ffff:ffff:ffff
  2001:40:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff  2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
  2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
  3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff  5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fd00:ec2::254 fe80::1%eth0 4000::1 x`
  .trim()
  .split(/\s+/);

describe('public addresses', () => {
  it.each(SPECIAL)('do not include %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('include those between the blocked ranges', () => {
    for (const address of [
      ...[
        '1.1.1.1',
        '9.255.255.255',
        '11.0.0.0',
        '100.63.255.255',
        '100.128.0.0',
        '126.255.255.255',
      ],
      ...[
        '128.0.0.0',
        '172.15.255.255',
        '172.32.0.0',
        '192.0.1.0',
        '192.169.0.0',
        '198.17.255.255',
      ],
      ...[
        '198.20.0.0',
        '223.255.255.255',
        '2001:200::1',
        '2001:4860:4860::8888',
        '2606:4700::1111',
      ],
      ...['2a00:1450::1', '2003::1', '2620:4f:7fff::1', '3ffe::1'],
    ]) {
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
    }
  });
});

describe('checking an address', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0x7f.1/',
    'http://127.0.0.1./',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://127．0．0．1/',
    'http://①②⑦.0.0.1/',
    'http://0/',
    'http://0x/',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1%2e/',
    'http://10.0.0.1\t/',
    'http:/\\10.0.0.1/',
    'http://example.com@10.0.0.1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://ｌocalhost/',
    'http://a.localhost/',
    'http://localhost.:80/',
    'http://./',
  ])('rejects %s without resolving anything', (text) => {
    expect(() => checkUrl(parseWebUrl(text, 'url'))).toThrow(
      expect.objectContaining({ status: 400, code: 'bad_request' }),
    );
  });

  it.each([
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://1.2.3.256/',
    'http://[::1/',
  ])('rejects the malformed address %s', (text) => {
    expect(() => parseWebUrl(text, 'url')).toThrow(
      expect.objectContaining({ status: 400, param: 'url' }),
    );
  });

  it('allows only the ports 80, 443, 8080 and 8443', () => {
    for (const port of [80, 443, 8080, 8443]) checkUrl(new URL(`http://example.com:${port}/`));
    for (const port of [0, 21, 22, 25, 6379, 8081, 9200, 65535]) {
      expect(() => checkUrl(new URL(`http://example.com:${port}/`))).toThrow(/port/);
    }
  });
});

describe('an address from a caller', () => {
  it('must be http or https', () => {
    for (const text of [
      ...['ftp://example.com', 'file:///etc/passwd', 'gopher://example.com', 'javascript:alert(1)'],
      ...[
        'data:text/html,x',
        'mailto:a@example.com',
        'view-source:http://example.com',
        '',
        ' ',
        '//',
        'about:blank',
      ],
    ]) {
      expect(() => parseWebUrl(text, 'url', true), text).toThrow(
        expect.objectContaining({ status: 400 }),
      );
    }
  });

  it('can be a bare domain, for which https is assumed', () => {
    for (const [text, url] of [
      ['example.com', 'https://example.com/'],
      [' example.com/a?b ', 'https://example.com/a?b'],
      ['example.com:8443/x', 'https://example.com:8443/x'],
      ['//example.com', 'https://example.com/'],
      ['münchen.example', 'https://xn--mnchen-3ya.example/'],
      ['http://example.com', 'http://example.com/'],
    ] as const) {
      expect(parseWebUrl(text, 'url', true).href).toBe(url);
    }
    expect(withScheme('example.com')).toBe('https://example.com');
  });

  it('loses its credentials', () => {
    expect(parseWebUrl('https://user:secret@example.com/', 'url').href).toBe(
      'https://example.com/',
    );
  });
});
