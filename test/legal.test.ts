/**
 * Checks that the legal pages contain the operator's settings as plain text, that no placeholder is left, and that
 * security.txt is complete.
 */
import { describe, expect, it } from 'vitest';
import { readLegalDocuments } from '../scripts/content/legal-documents.ts';
import { type Config, readConfig } from '../src/core/config.ts';
import { filled, securityText } from '../src/site/legal/legal-text.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const documents = Object.entries(readLegalDocuments());

function configOf(settings: Record<string, string> = {}): Config {
  const made = { BASE_URL: 'https://tools.example', MEDIA_SECRET: 'for-tests-only-0123' };
  const config = readConfig({ ...made, ...settings });
  if ('findings' in config) throw new Error(config.findings.join());
  return config;
}

const OPERATOR = {
  SERVICE_NAME: 'Acme_Tools_1',
  OPERATOR_NAME: 'Acme {base_url} _GmbH_',
  OPERATOR_CONTACT: 'abuse@acme.example',
  OPERATOR_JURISDICTION: 'Germany',
};

describe('the legal pages', () => {
  it('are privacy, terms and contact', () => {
    expect(documents.map(([name]) => name).sort()).toEqual(['contact', 'privacy', 'terms']);
  });

  it.each(documents)('%s has no placeholder left, with any settings', (_, document) => {
    for (const settings of [{}, OPERATOR]) {
      const { title, description, markdown } = filled(document, configOf(settings));
      expect(`${title} ${description}`).not.toMatch(/[{}]/);
      expect(markdown.replaceAll('\\{base\\_url\\}', '')).not.toMatch(/[{}]/);
    }
  });

  it('name the operator, the contact and the law, as text', () => {
    const { contact, terms, privacy } = readLegalDocuments();
    const config = configOf(OPERATOR);
    expect(filled(contact!, config).markdown).toContain('(mailto:abuse@acme.example)');
    expect(filled(contact!, configOf()).markdown).toContain('(https://tools.example/abuse)');
    expect(filled(terms!, config).markdown).toContain('The law of Germany applies.');
    expect(filled(terms!, config).markdown).toContain('Acme \\{base\\_url\\} \\_GmbH\\_');
    const sent = 'is sent to a reputation service';
    expect(filled(privacy!, config).markdown).not.toContain(sent);
    const withReputation = configOf({ LINK_REPUTATION_URL: 'https://r.example/?u={url}' });
    expect(filled(privacy!, withReputation).markdown).toContain(sent);
  });
});

describe('security.txt', () => {
  it('has a contact, an expiry date and its canonical URL (RFC 9116)', () => {
    expect(securityText(configOf(OPERATOR), NOW)).toBe(
      `Contact: mailto:abuse@acme.example
Expires: 2027-05-20T00:00:00Z
Preferred-Languages: en
Canonical: https://tools.example/.well-known/security.txt
`,
    );
    expect(securityText(configOf(), NOW)).toContain('Contact: https://tools.example/contact');
  });
});
