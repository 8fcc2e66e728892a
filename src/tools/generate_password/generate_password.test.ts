import { describe, expect, it } from 'vitest';
import { runTool } from '../../../test/support/run-tool.ts';
import { generatePassword } from './generate_password.ts';
import { generatePasswordHere } from './in-browser.ts';

describe('generate_password', () => {
  it('creates passwords of the requested length, number and characters in the browser', async () => {
    const parameters = { length: 32, count: 7, symbols: false };
    const { value } = await runTool(generatePasswordHere, parameters);
    const passwords = value.passwords as string[];
    expect(new Set(passwords).size).toBe(7);
    for (const password of passwords) {
      expect(password).toMatch(/^[a-kmnp-zA-HJ-NP-Z2-9]{32}$/);
      expect(password).toMatch(/[a-z]/);
      expect(password).toMatch(/[A-Z]/);
      expect(password).toMatch(/[0-9]/);
    }
  });

  it('requires at least one kind of character', async () => {
    const none = { lowercase: false, uppercase: false, digits: false, symbols: false };
    await expect(runTool(generatePasswordHere, none)).rejects.toMatchObject({ status: 400 });
  });

  it('creates five passwords of 20 characters of every kind by default', () => {
    expect(generatePassword.input.parse({})).toMatchObject({ length: 20, count: 5, symbols: true });
  });
});
