/**
 * Generates records of fictional people from faker's English lists. The module is loaded on the first call, because the
 * lists are large.
 */
import { base, en, Faker } from '@faker-js/faker';

export type RecordType = 'name' | 'email' | 'address' | 'phone' | 'user';

export interface User {
  name: string;
  email: string;
  address: string;
  phone: string;
}

// The date is fixed, because faker would otherwise use the current date.
const faker = new Faker({ locale: [en, base] });
faker.setDefaultRefDate(0);

// Each type has its own seed. Changing a seed would change the results of existing calls.
const SEEDS: Record<RecordType, number> = { name: 1, email: 2, address: 3, phone: 4, user: 5 };

/** Reserved domains, which nobody can own (RFC 2606, section 3). */
const EMAIL_DOMAINS = ['example.com', 'example.org', 'example.net'];

const AREA_CODES = '202 206 212 213 215 303 305 312 313 404 415 503 512 602 612 617 619 702'.split(
  ' ',
);

/** Returns the first `count` records of a type. A higher count returns the same records, followed by more. */
export function makeRecords(type: RecordType, count: number): (string | User)[] {
  faker.seed(SEEDS[type]);
  const make = MAKERS[type];
  return Array.from({ length: count }, make);
}

const MAKERS: Record<RecordType, () => string | User> = {
  name: () => fullName(person()),
  email: () => email(person()),
  address,
  phone,
  user: () => {
    const who = person();
    return { name: fullName(who), email: email(who), address: address(), phone: phone() };
  },
};

interface Person {
  first: string;
  last: string;
}

const person = (): Person => ({ first: faker.person.firstName(), last: faker.person.lastName() });

const fullName = ({ first, last }: Person) => `${first} ${last}`;

const email = ({ first, last }: Person) =>
  `${letters(first)}.${letters(last)}@${faker.helpers.arrayElement(EMAIL_DOMAINS)}`;

const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

function address(): string {
  const { location } = faker;
  const state = location.state({ abbreviated: true });
  return `${location.streetAddress()}, ${location.city()}, ${state} ${location.zipCode('#####')}`;
}

/** The numbers 555-0100 to 555-0199 are reserved for fiction in every North American area code. */
function phone(): string {
  const last = faker.number.int({ min: 100, max: 199 });
  return `+1-${faker.helpers.arrayElement(AREA_CODES)}-555-0${last}`;
}
