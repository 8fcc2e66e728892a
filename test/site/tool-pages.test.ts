/**
 * Tests additional features of tool pages: comparison, error messages, file ordering, cancellation, and use without
 * scripts.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { Browser, Page, Request } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, submitForm } from '../support/chromium.ts';
import { openPerson, type Person } from '../support/passkey-browser.ts';
import { baseUrl } from '../support/service.ts';
import { type Files, makeFiles } from './page-files.ts';
import { EXECUTABLE } from './tool-page.ts';

let files: Files;
const at = (name: string) => files.at(name);
let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  files = await makeFiles();
  const pages = '1 1 9 { pop /Helvetica 40 selectfont 72 400 moveto (scan) show showpage } for';
  execFileSync('gs', ['-q', '-sDEVICE=pdfwrite', '-o', at('pages.pdf'), '-c', pages]);
  browser = await openBrowser();
  person = await openPerson(browser, { viewport: { width: 1280, height: 900 } });
  page = person.page;
});
afterAll(async () => {
  await browser?.close();
  files?.remove();
});

describe('a tool page', () => {
  it('shows the limit of a file, and no limit on the number of runs if calls are not counted', async () => {
    const url = `${baseUrl}/tools/compress_pdf`;
    const html = await (await fetch(url)).text();
    expect(html).toContain('At most 50 MB');
    expect(html).toContain('No limit on the number of runs');
    expect(html).not.toContain('No limits');
    const forAccounts = await (await fetch(`${baseUrl}/tools/generate_image`)).text();
    expect(forAccounts).toContain('No limit on the number of runs, with ');
    const left = await fetch(`${url}/left`, { headers: { Accept: 'text/plain' } });
    expect(await left.text()).toBe('No limit on the number of runs.');
  });

  it('mentions dragging and pasting only on a device with a mouse', async () => {
    const context = await browser.newContext({ hasTouch: true, isMobile: true });
    const phone = await context.newPage();
    const shown = (from: Page) =>
      from.locator('.for-mouse').evaluateAll((all) => all.map((one) => one.checkVisibility()));
    for (const path of ['/tools/compress_image', '/']) {
      await page.goto(baseUrl + path);
      await phone.goto(baseUrl + path);
      const onDesktop = await shown(page);
      expect(onDesktop).toContain(true);
      expect(await shown(phone)).toEqual(onDesktop.map(() => false));
    }
    for (const name of EXECUTABLE) {
      await phone.goto(`${baseUrl}/tools/${name}`);
      expect(await phone.locator('main').innerText(), name).not.toMatch(/\bdrop (it|them)\b/);
    }
    await context.close();
  });

  it('has buttons of at least 40 px beside files and pages on a narrow touch device', async () => {
    const viewport = { width: 320, height: 800 };
    const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport });
    const phone = await context.newPage();
    for (const [tool, file, count] of [
      ['merge_pdf', 'pages.pdf', 3],
      ['rotate_pdf', 'pages.pdf', 2],
      ['images_to_pdf', 'photo.jpg', 4],
    ] as const) {
      await phone.goto(`${baseUrl}/tools/${tool}`);
      await phone.setInputFiles('#files', at(file));
      const buttons = phone.locator('.files > li > button, .rotate:visible');
      await expect.poll(() => buttons.count()).toBeGreaterThanOrEqual(count);
      const sides = await buttons.evaluateAll((all) =>
        all.flatMap((button) => {
          const { width, height } = button.getBoundingClientRect();
          return [width, height];
        }),
      );
      expect(Math.min(...sides)).toBeGreaterThanOrEqual(40);
      expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    }
    await context.close();
  });

  it('has links of at least 24 px on a touch device', async () => {
    const viewport = { width: 390, height: 844 };
    const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport });
    const phone = await context.newPage();
    const paths = ['merge_pdf', 'compress_image', 'decode_jwt'].map((name) => `/tools/${name}`);
    for (const path of [...paths, '/', '/chains', '/docs', '/docs/api', '/developers', '/status']) {
      await phone.goto(baseUrl + path);
      const low = await phone
        .locator('main a, footer a')
        .evaluateAll((links) =>
          links
            .filter((link) => link.checkVisibility() && link.getBoundingClientRect().height < 24)
            .map((link) => link.outerHTML),
        );
      expect(low, path).toEqual([]);
    }
    await context.close();
  });

  it('lists several warnings, with and without scripts', async () => {
    const json = '{"a":1,"a":2,"n":12345678901234567890123}';
    const duplicate = expect.stringMatching(/duplicate key/);
    await page.goto(`${baseUrl}/tools/format_json`);
    await page.fill('#p-json', `\ufeff${json}`);
    await expect
      .poll(() => page.locator('.output .notice li').allInnerTexts())
      .toEqual([expect.stringMatching(/byte-order mark/), duplicate]);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${baseUrl}/tools/format_json`);
    await plain.fill('#p-json', json);
    await submitForm(plain, plain.locator('noscript button.main'));
    expect(await plain.locator('.output .notice li').allInnerTexts()).toEqual([
      duplicate,
      expect.stringMatching(/^A number/),
    ]);
    await context.close();
  });

  it('shows an image before and after, with sizes and a slider', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    await page.setInputFiles('#files', at('photo.jpg'));
    await page.locator('#tool-form button.main').click();
    const slider = page.getByRole('slider', { name: /original to show/ });
    await slider.fill('20');
    expect(await page.locator('.output .compare').getAttribute('style')).toContain('20%');
    expect(await page.locator('.output .sizes').innerText()).toMatch(/→.+(smaller|larger)/s);
    const stale = page.getByText('The form has changed since this result was created.');
    expect(await stale.isVisible()).toBe(false);
    await page.selectOption('#p-format', 'png');
    expect(await stale.isVisible()).toBe(true);
    await page.locator('#tool-form button.main').click();
    await page.getByRole('link', { name: 'Save photo.png' }).waitFor();
    expect(await stale.isVisible()).toBe(false);
  });

  it('shows the pages of a PDF as images, including those of each PDF in a ZIP', async () => {
    const inked = (canvas: Element) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const context = (canvas as HTMLCanvasElement).getContext('2d')!;
      return context.getImageData(0, 0, width, height).data.some((value) => value < 100);
    };
    await page.goto(`${baseUrl}/tools/split_pdf`);
    await page.setInputFiles('#files', at('pages.pdf'));
    await page.fill('#p-ranges', '2-4');
    await page.locator('#tool-form button.main').click();
    await expect.poll(() => page.locator('#result .pages canvas').count()).toBe(3);
    expect(await page.locator('#result').getByLabel('Page 3').evaluate(inked)).toBe(true);
    await page.fill('#p-ranges', '1\n2-9');
    await page.locator('#tool-form button.main').click();
    const second = page.locator('.panels canvas').nth(1);
    await expect.poll(() => second.getAttribute('aria-label')).toBe('pages-pages-2-9.pdf');
    await expect.poll(() => second.evaluate(inked)).toBe(true);
    expect(person.problems).toEqual([]);
  });

  it('shows an error beside its field, and removes it after a correction', async () => {
    await page.goto(`${baseUrl}/tools/format_json`);
    await page.getByLabel('JSON', { exact: true }).fill('{"a":}');
    await page.locator('#tool-form button.main').click();
    const field = page.locator('#p-json');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#p-json-error').innerText()).toMatch(/JSON/);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill('{}');
    expect(await page.locator('#p-json-error').isVisible()).toBe(false);
  });

  it('reports a missing file without calling the service', async () => {
    await page.goto(`${baseUrl}/tools/merge_pdf`);
    await page.setInputFiles('#files', at('first.pdf'));
    await page.locator('#tool-form button.main').click();
    await expect.poll(() => page.locator('#files-error').innerText()).toMatch('at least 2 files');
    await page.setInputFiles('#files', at('photo.jpg'));
    await page.locator('#tool-form button.main').click();
    await expect
      .poll(() => page.locator('#files-error').innerText())
      .toMatch(/at least 2 files.* photo\.jpg is not a PDF\. The file was not added\.$/);
  });

  it('lists the files it refused until the selection changes', async () => {
    await page.goto(`${baseUrl}/tools/upload_file`);
    const drop = (names: string[]) =>
      page.evaluate((dropped) => {
        const dataTransfer = new DataTransfer();
        for (const name of dropped) dataTransfer.items.add(new File(['x'], name));
        const drop = { dataTransfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent('drop', drop));
      }, names);
    await drop(['one.pdf', 'two.pdf']);
    const told = page.locator('#files-error');
    expect(await told.innerText()).toBe('Only the first file was added.');
    expect(await page.locator('.files .name').allInnerTexts()).toHaveLength(1);
    await drop(['three.pdf']);
    expect(await told.isVisible()).toBe(false);
  });

  it('refuses a file of the wrong type as soon as it is chosen', async () => {
    await page.goto(`${baseUrl}/tools/split_pdf`);
    const told = page.locator('#files-error');
    await page.setInputFiles('#files', at('photo.jpg'));
    expect(await told.innerText()).toBe('photo.jpg is not a PDF. The file was not added.');
    expect(await page.locator('#p-ranges-error').isVisible()).toBe(false);
    copyFileSync(at('first.pdf'), at('unknown'));
    await page.setInputFiles('#files', at('unknown'));
    expect(await told.isVisible()).toBe(false);
    writeFileSync(at('named.pdf'), 'notes');
    await page.setInputFiles('#files', at('named.pdf'));
    await expect
      .poll(() => told.innerText())
      .toBe('named.pdf is not a PDF. The file was not added.');
    expect(await page.locator('.files .name').allInnerTexts()).toEqual([
      expect.stringContaining('unknown'),
    ]);
    await page.goto(`${baseUrl}/tools/images_to_pdf`);
    writeFileSync(at('notes.txt'), 'notes');
    await page.setInputFiles('#files', [at('photo.jpg'), at('pages.pdf'), at('notes.txt')]);
    expect(await told.innerText()).toMatch('notes.txt is not an image or a PDF.');
    const names = await page.locator('.files .name').allInnerTexts();
    expect(names.map((name) => name.split('\n')[0])).toEqual(['photo.jpg', 'pages.pdf']);
    await page.getByRole('button', { name: 'Remove photo.jpg' }).click();
    expect(await told.isVisible()).toBe(false);
  });

  it('refuses files that are too large, alone or together, as soon as they are chosen', async () => {
    const sized = (name: string, megabytes: number) => {
      writeFileSync(at(name), '%PDF-1.7');
      truncateSync(at(name), megabytes * 2 ** 20);
      return at(name);
    };
    const sent: string[] = [];
    const listen = (request: Request) => sent.push(request.method());
    await page.goto(`${baseUrl}/tools/merge_pdf`);
    page.on('request', listen);
    const told = page.locator('#files-error');
    await page.setInputFiles('#files', [sized('a.pdf', 51), sized('b.pdf', 1)]);
    await expect.poll(() => told.innerText()).toContain('a.pdf is larger than the limit of 50 MB');
    await page.setInputFiles('#files', [sized('c.pdf', 40), sized('d.pdf', 40)]);
    await expect.poll(() => told.innerText()).toContain('exceed the total limit of 64 MB');
    await page.goto(`${baseUrl}/tools/images_to_pdf`);
    expect(await page.locator('#files-hint').innerText()).toContain('50 MB together');
    await page.setInputFiles('#files', [at('c.pdf'), sized('e.pdf', 11)]);
    await page.locator('#tool-form button.main').click();
    await expect.poll(() => told.innerText()).toContain('exceed the total limit of 50 MB');
    page.off('request', listen);
    expect(sent).not.toContain('POST');
  });

  it.each(EXECUTABLE)('%s shows the labels of its choices in full', async (name) => {
    await page.goto(`${baseUrl}/tools/${name}`);
    const cut = await page.locator('#tool-form').evaluate((form) => {
      for (const details of form.querySelectorAll('details')) details.open = true;
      return [...form.querySelectorAll('select')].filter((select) => {
        const { offsetWidth } = select;
        select.style.width = 'max-content';
        return select.offsetWidth > offsetWidth;
      });
    });
    expect(cut).toHaveLength(0);
  });

  it('reports that a folder cannot be read', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    mkdirSync(at('folder'));
    const devTools = await page.context().newCDPSession(page);
    const data = { items: [], files: [at('folder')], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await devTools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    }
    await page.locator('#tool-form button.main').click();
    const told = page.locator('#files-error');
    await expect.poll(() => told.innerText()).toContain('The file folder cannot be read:');
    expect(await page.locator('#form-error').isVisible()).toBe(false);
    person.problems.length = 0;
  });

  it('compares the result with the image that was sent, even after another is chosen', async () => {
    await page.goto(`${baseUrl}/tools/compress_image`);
    const dark = { create: { width: 800, height: 400, channels: 3 as const, background: 'black' } };
    await sharp(dark).png().toFile(at('dark.png'));
    await sharp(dark).negate().png().toFile(at('light.png'));
    const going = Promise.withResolvers<void>();
    await page.route('**/run', async (route) => {
      await going.promise;
      await route.continue();
    });
    await page.setInputFiles('#files', at('dark.png'));
    await page.locator('#tool-form button.main').click();
    await page.setInputFiles('#files', at('light.png'));
    going.resolve();
    await page.getByText('Save dark.webp').waitFor();
    const first = await page.locator('.output .before').evaluate((image) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d')!;
      context.drawImage(image as HTMLImageElement, 0, 0);
      return context.getImageData(0, 0, 1, 1).data[0];
    });
    expect(first).toBe(0);
    await page.unroute('**/run');
  });

  it('orders files by keyboard, and the result has that order', async () => {
    await page.goto(`${baseUrl}/tools/merge_pdf`);
    await page.setInputFiles('#files', [at('first.pdf'), at('second.pdf')]);
    const names = () => page.locator('.files .name').allInnerTexts();
    expect((await names())[0]).toContain('first.pdf');
    await page.getByRole('button', { name: 'Move second.pdf up' }).focus();
    await page.keyboard.press('Enter');
    expect((await names())[0]).toContain('second.pdf');
    expect(await page.locator('.files + [data-status]').innerText()).toBe(
      'second.pdf is now number 1 of 2.',
    );
    await page.locator('#tool-form button.main').focus();
    await page.keyboard.press('Enter');
    const save = page.getByRole('link', { name: /^Save .+\.pdf/ });
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    await download.saveAs(at('merged.pdf'));
    const text = execFileSync('pdftotext', [at('merged.pdf'), '-'], { encoding: 'utf8' });
    expect(text.replace(/\s+/g, ' ').trim()).toBe('second.pdf first.pdf');
  });

  it('orders files by dragging, and accepts pasted ones', async () => {
    await page.goto(`${baseUrl}/tools/images_to_pdf`);
    await page.setInputFiles('#files', [at('photo.jpg'), at('word.png')]);
    const rows = page.locator('.files li');
    await rows.nth(1).dragTo(rows.nth(0));
    await expect.poll(() => rows.nth(0).innerText()).toContain('word.png');
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['<svg></svg>'], 'pasted.svg', { type: 'image/svg+xml' }));
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
    });
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(3);
  });

  it('asks for the missing file before the fields', async () => {
    await page.goto(`${baseUrl}/tools/split_pdf`);
    await page.locator('#tool-form button.main').click();
    await expect.poll(() => page.locator('#files-error').innerText()).toBe('Choose a file first.');
  });

  it('says after a reload that it has stopped the run', async () => {
    await page.route('**/run', () => {});
    await page.goto(`${baseUrl}/tools/shorten_url`);
    await page.fill('#p-url', 'https://example.com/');
    await page.locator('#tool-form button.main').click();
    await page.locator('#result[data-state="running"]').waitFor();
    await page.reload();
    const message = 'The run stopped because you left or reloaded the page.';
    await page.getByText(message).first().waitFor();
    await page.unroute('**/run');
  });

  it('stops a run when the user cancels it', async () => {
    await page.route('**/run', () => {});
    await page.goto(`${baseUrl}/tools/shorten_url`);
    await page.fill('#p-url', 'https://example.com/');
    const start = page.locator('#tool-form button.main');
    const hasFocus = (element: Element) => element === document.activeElement;
    await start.focus();
    await page.keyboard.press('Enter');
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await expect.poll(() => cancel.evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByText('The result appears here.').isVisible()).toBe(true);
    expect(await page.locator('#result [data-status]').innerText()).toBe('Cancelled.');
    expect(await start.evaluate(hasFocus)).toBe(true);
    await page.unroute('**/run');
  });

  it('shows why a run failed: no connection, or a refusal by the service', async () => {
    await page.route('**/run', (route) => route.abort());
    await page.goto(`${baseUrl}/tools/shorten_url`);
    await page.fill('#p-url', 'https://example.com/');
    await page.locator('#tool-form button.main').click();
    const problem = page.locator('#form-error');
    await expect
      .poll(() => problem.innerText())
      .toBe('The service is not reachable. Check your connection and try again.');
    await page.unroute('**/run');
    // If pages are removed, the site calls split_pdf before the merge.
    const refusal = { status: 400, json: { error: 'The PDF needs a password.' } };
    await page.route('**/tools/split_pdf/run', (route) => route.fulfill(refusal));
    await page.goto(`${baseUrl}/tools/merge_pdf`);
    await page.setInputFiles('#files', [at('pages.pdf'), at('second.pdf')]);
    await page.getByRole('button', { name: 'Page 1', exact: true }).first().click();
    await page.locator('#tool-form button.main').click();
    await expect.poll(() => problem.innerText()).toBe('The PDF needs a password.');
    await page.unroute('**/tools/split_pdf/run');
  });

  it('runs long work as a job with a progress bar, which Cancel stops', async () => {
    await page.goto(`${baseUrl}/tools/extract_text_ocr`);
    await page.setInputFiles('#files', at('pages.pdf'));
    const made = page.waitForResponse((response) => response.url().endsWith('/run'));
    await page.locator('#tool-form button.main').click();
    const { id } = await (await made).json();
    await page.waitForFunction(
      () => {
        const bar = document.querySelector<HTMLProgressElement>('#result progress')!;
        return bar.hasAttribute('value') && bar.value > 0 && bar.value < 1;
      },
      undefined,
      { polling: 100 },
    );
    expect(await page.locator('#result [data-running]').innerText()).toMatch(
      /^Working… page \d of \d, \d+ %/,
    );
    const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await removed).status()).toBe(204);
    await expect.poll(() => page.getByText('The result appears here.').isVisible()).toBe(true);
    const told = await page.request.get(`${baseUrl}/api/v1/jobs/${id}`);
    expect((await told.json()).status).toBe('cancelled');
  });

  it('shows the same call as working code', async () => {
    await page.goto(`${baseUrl}/tools/encode_base64`);
    const curl = (await page.locator('.tabs code').first().textContent())!;
    expect(execFileSync('sh', ['-c', curl], { encoding: 'utf8' })).toContain('SGVsbG8');
    const languages = await page.locator('.tabs label').allTextContents();
    expect(languages).toEqual(['curl', 'TypeScript', 'Python', 'MCP']);
  });

  it('shows the call that the form would send, updated while the user types', async () => {
    const odd = `it's a "scan"; 1.pdf`;
    copyFileSync(at('pages.pdf'), at(odd));
    await page.goto(`${baseUrl}/tools/split_pdf`);
    await page.setInputFiles('#files', at(odd));
    await page.fill('#p-ranges', '2-4');
    const curl = page.locator('#calls code').first();
    await expect.poll(() => curl.textContent()).toContain('"2-4"');
    const before = readdirSync(at('.'));
    execFileSync('sh', ['-c', (await curl.textContent())!], { cwd: at('.') });
    const made = readdirSync(at('.')).filter((name) => !before.includes(name));
    expect(made).toHaveLength(1);
    const text = execFileSync('pdftotext', [at(made[0]!), '-'], { encoding: 'utf8' });
    expect(text.split('\f')).toHaveLength(3 + 1);
    expect(await page.locator('#calls code').nth(2).textContent()).toContain('"2-4"');
    await page.getByRole('button', { name: `Remove ${odd}` }).click();
    await expect.poll(() => curl.textContent()).toContain('file=@report.pdf');
  });

  it('links a signed-out user to the sign-in page, and keeps the keyboard focus', async () => {
    const context = await browser.newContext();
    const signedOut = await context.newPage();
    await signedOut.goto(`${baseUrl}/tools/humanize_text`);
    await signedOut.fill('#p-text', 'It is important to note that.');
    await signedOut.locator('#tool-form button.main').focus();
    await signedOut.keyboard.press('Enter');
    const message = signedOut.locator('#form-error');
    await expect.poll(() => message.innerText()).toMatch(/Sign in to continue/);
    expect(await message.innerText()).not.toMatch(/key|tsk_/i);
    expect(await message.getByRole('link').getAttribute('href')).toBe('/developers');
    expect(await signedOut.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
    await context.close();
  });

  it('shows markup in a result as text', async () => {
    await page.goto(`${baseUrl}/tools/decode_url`);
    await page.locator('#p-encoded').fill('<img src=x onerror=alert(1)><script>1</script>');
    await page.locator('#tool-form button.main').click();
    await expect
      .poll(() => page.locator('.output code').first().innerText())
      .toContain('<img src=x');
    expect(await page.locator('.output img, .output script').count()).toBe(0);
  });
});

describe('without scripts', () => {
  /** The other main button needs scripts, because it runs the tool in the browser. */
  const runButton = (page: Page) => page.locator('#tool-form button.main:not(.scripted)');

  it('a form shows its result and keeps the entered values', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${baseUrl}/tools/generate_fake_data`);
    await plain.selectOption('#p-type', 'email');
    await plain.fill('#p-count', '3');
    await submitForm(plain, runButton(plain));
    expect(await plain.locator('.output tbody tr').count()).toBe(3);
    expect(await plain.inputValue('#p-count')).toBe('3');
    expect(await plain.locator('[data-copy]').filter({ visible: true }).count()).toBe(0);
    const curl = (await plain.locator('#calls code').first().textContent())!;
    expect(curl).toContain('{"type":"email","count":3}');
    await plain.goto(`${baseUrl}/tools/generate_qr_code`);
    await plain.fill('#p-text', 'without scripts');
    await submitForm(plain, runButton(plain));
    expect(await plain.locator('.qr-result img').count()).toBe(1);
    await plain.goto(`${baseUrl}/tools/merge_pdf`);
    await plain.setInputFiles('#files', at('first.pdf'));
    await submitForm(plain, runButton(plain));
    expect(await plain.locator('#files-error').innerText()).toBe(
      'merge_pdf needs at least 2 files, but got 1.',
    );
    await plain.goto(`${baseUrl}/tools/format_json`);
    await plain.fill('#p-json', '{"a":}');
    await submitForm(plain, runButton(plain));
    expect(await plain.locator('#p-json-error').innerText()).toMatch(/JSON/);
    expect(await plain.inputValue('#p-json')).toBe('{"a":}');
    await context.close();
  });

  it('a file is uploaded and the result is downloaded', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${baseUrl}/tools/compress_image`);
    await plain.setInputFiles('#files', at('photo.jpg'));
    const download = await submitForm(plain, runButton(plain));
    expect(download!.suggestedFilename()).toBe('photo.webp');
    await download!.saveAs(at('photo.webp'));
    expect((await sharp(readFileSync(at('photo.webp'))).metadata()).format).toBe('webp');
    await context.close();
  });
});

/** The image depends on the model, so the page shows no example. */
const WITHOUT_EXAMPLE = ['generate_image'];

it('the page of every callable tool but generate_image shows an example of its result', async () => {
  const shown = EXECUTABLE.filter((name) => !WITHOUT_EXAMPLE.includes(name));
  const pages = await Promise.all(
    shown.map(async (name) => (await fetch(`${baseUrl}/tools/${name}`)).text()),
  );
  expect(shown.filter((_, at) => !pages[at]!.includes('<figure class="example'))).toEqual([]);
  const email = pages[shown.indexOf('draft_email')];
  expect(email).toMatch(/<figure class="example" inert=""?>.*Dear \[Name\]/s);
});
