/** Fills the templates in src/content/legal with the operator's settings. */
import type { Config } from '../../core/config.ts';

/** A legal page. In a template, `description` and `markdown` contain placeholders such as `{service_name}`. */
export interface LegalDocument {
  title: string;
  description: string;
  markdown: string;
}

/** The `legal.json` that is deployed with the Worker. Its keys are the last segments of the pages' paths. */
export type LegalFile = Record<string, LegalDocument>;

/** The number of days after which security.txt expires (RFC 9116, section 2.5.5). */
const SECURITY_DAYS = 180;
const DAY_MS = 86_400_000;

export function filled(
  { title, description, markdown }: LegalDocument,
  config: Config,
): LegalDocument {
  const fill = (text: string, values: Record<string, string>) =>
    text.replace(/\{([a-z_]{1,30})\}/g, (placeholder, name) => values[name] ?? placeholder);
  return {
    title,
    description: fill(description, { service_name: config.serviceName }),
    markdown: fill(markdown, valuesOf(config)),
  };
}

function valuesOf(config: Config): Record<string, string> {
  const { serviceName, baseUrl, operator, linkReputationUrl } = config;
  const { name, jurisdiction, contact } = operator;
  return {
    service_name: escaped(serviceName),
    base_url: baseUrl,
    operator_sentence: name
      ? `${escaped(name)} operates ${escaped(serviceName)}.`
      : `The operator of ${escaped(serviceName)} has not published a name.`,
    contact_sentence: contact
      ? `Write to [${escaped(contact)}](${contactUri(contact)}).`
      : `No contact address is published. To report a file or a short link, use [the report form](${baseUrl}/abuse), which needs no account.`,
    object_sentence: contact ? 'write to the operator' : 'use the report form',
    setup_sentence:
      name && contact
        ? ''
        : 'If you run this service, the settings `OPERATOR_NAME` and `OPERATOR_CONTACT` add your name and contact address here.',
    law_sentence: jurisdiction ? `The law of ${escaped(jurisdiction)} applies.` : '',
    reputation_sentence: linkReputationUrl
      ? 'When someone follows a short link, its target is sent to a reputation service, but the visitor’s IP address is not.'
      : 'Targets of short links are not sent to anyone.',
  };
}

/** Escapes a setting for Markdown. */
const escaped = (text: string) => text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&');

const contactUri = (contact: string) =>
  contact.includes('@') && !contact.startsWith('https:') ? `mailto:${contact}` : contact;

/** Writes security.txt (RFC 9116). */
export function securityText({ baseUrl, operator }: Config, now: number): string {
  const contact = operator.contact ? contactUri(operator.contact) : `${baseUrl}/contact`;
  const expires = new Date(now + SECURITY_DAYS * DAY_MS).toISOString().slice(0, 10);
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
