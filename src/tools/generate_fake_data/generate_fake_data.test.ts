import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { generateFakeData } from './generate_fake_data.ts';

interface User {
  name: string;
  email: string;
  address: string;
  phone: string;
}

const generate = async (type: unknown, count?: unknown) =>
  await runTool(generateFakeData, count === undefined ? { type } : { type, count });

const records = async (type: string, count: number) =>
  (await generate(type, count)).value.records as string[];

const users = async () => (await generate('user', 100)).value.records as User[];

const TYPES = ['name', 'email', 'address', 'phone', 'user'];

const NAME = /^[A-Z][A-Za-z'-]+ [A-Z][A-Za-z' -]+$/;
const EMAIL = /^[a-z]+\.[a-z]+@example\.(com|org|net)$/;
const ADDRESS = /^\d+ [A-Z0-9][^,]+, [A-Z][^,]+, [A-Z]{2} \d{5}$/;
const PHONE = /^\+1-[2-9]\d\d-555-01\d\d$/;

describe('generate_fake_data', () => {
  it('returns one record by default', async () => {
    const { value } = await generate('name');
    expect(value).toMatchObject({ type: 'name', count: 1 });
    expect(value.records).toHaveLength(1);
  });

  it('returns the requested number of strings or users', async () => {
    for (const type of TYPES) {
      const { value } = await generate(type, 100);
      expect(value.count).toBe(100);
      expect(value.records).toHaveLength(100);
      for (const record of value.records as unknown[]) {
        expect(typeof record).toBe(type === 'user' ? 'object' : 'string');
      }
    }
  });

  it('starts every longer result with the shorter one', async () => {
    for (const type of TYPES) {
      const all = await records(type, 100);
      for (const count of [1, 5, 10, 99]) {
        expect(await records(type, count)).toEqual(all.slice(0, count));
      }
    }
  });

  it('returns the recorded values, so results stay stable between versions', async () => {
    expect(await records('name', 2)).toEqual(['Aaliyah Bosco', 'Heidi Pfannerstill']);
    expect(await records('email', 2)).toEqual([
      'kristy.harris@example.com',
      'dock.collier@example.org',
    ]);
    expect(await records('address', 2)).toEqual([
      '358 Center Road, North Jena, NV 62650',
      '42641 Ernser Hills, Weston, NV 69830',
    ]);
    expect(await records('phone', 2)).toEqual(['+1-404-555-0196', '+1-512-555-0197']);
    expect((await users()).at(-1)).toEqual({
      name: 'Marilyne Mayert',
      email: 'marilyne.mayert@example.net',
      address: '3406 Terry-Lakin Port, North Havenstad, IN 77030',
      phone: '+1-303-555-0166',
    });
  });

  it('truncates the count to a whole number with a warning', async () => {
    const { value, warnings } = await generate('name', 2.9);
    expect(value.count).toBe(2);
    expect(warnings).toEqual(['count: 2.9 was replaced by 2.']);
  });

  it('clamps the count to 1-100 with a warning', async () => {
    for (const [given, count] of [
      [0, 1],
      [-5, 1],
      [0.5, 1],
      [101, 100],
      [1e300, 100],
      [Number.POSITIVE_INFINITY, 100],
    ]) {
      const { value, warnings } = await generate('phone', given);
      expect(value.count).toBe(count);
      expect(value.records).toHaveLength(count as number);
      expect(warnings).toHaveLength(1);
    }
  });

  it('adds no warning for a valid count', async () => {
    expect((await generate('name', 100)).warnings).toEqual([]);
  });

  it('rejects a non-numeric count', async () => {
    for (const count of ['5', null, Number.NaN, [], true]) {
      await expect(generate('name', count)).rejects.toMatchObject({ status: 400, param: 'count' });
    }
  });

  it('rejects an unknown type and lists the five valid ones', async () => {
    for (const type of ['Name', 'company', '', null, undefined]) {
      await expect(generate(type)).rejects.toMatchObject({ status: 400, param: 'type' });
    }
    await expect(generate('company')).rejects.toThrow(
      'must be "name", "email", "address", "phone" or "user", not "company".',
    );
  });

  it('returns names with a first and a last name', async () => {
    for (const name of await records('name', 100)) expect(name).toMatch(NAME);
  });

  it('returns email addresses in domains reserved by RFC 2606', async () => {
    for (const email of await records('email', 100)) expect(email).toMatch(EMAIL);
  });

  it('returns addresses with street, city, state and ZIP', async () => {
    for (const address of await records('address', 100)) expect(address).toMatch(ADDRESS);
  });

  it('returns phone numbers from the range reserved for fiction', async () => {
    for (const phone of await records('phone', 100)) expect(phone).toMatch(PHONE);
  });

  it('returns users with exactly four fields from the same reserved ranges', async () => {
    for (const user of await users()) {
      expect(Object.keys(user)).toEqual(['name', 'email', 'address', 'phone']);
      expect(user.name).toMatch(NAME);
      expect(user.email).toMatch(EMAIL);
      expect(user.address).toMatch(ADDRESS);
      expect(user.phone).toMatch(PHONE);
    }
  });

  it('derives a user’s email address from the name', async () => {
    for (const { name, email } of await users()) {
      const letters = name.toLowerCase().replace(/[^a-z]/g, '');
      expect(email.split('@')[0]?.replace('.', '')).toBe(letters);
    }
  });

  it('returns no duplicates within a hundred records', async () => {
    for (const type of ['name', 'email', 'address']) {
      expect(new Set(await records(type, 100)).size).toBe(100);
    }
  });
});
