/** The pages of a PDF as pictures, drawn in the browser: some at once, more when they are wished for. */
const AT_ONCE = 12;
/** Pixels; the grid shows them at most at two thirds of it. */
const WIDTH = 360;

let queue = Promise.resolve();

/** An element that shows the pages of `blob`, the first ones soon. */
export function pdfPages(blob) {
  const box = make('div', { className: 'stack' });
  const list = make('ol', { className: 'pages', tabIndex: 0 });
  list.setAttribute('aria-label', 'Pages of the PDF');
  box.append(list);
  box.setAttribute('aria-busy', 'true');
  draw(blob, box, list)
    .catch(() => {
      const text = 'This browser draws no preview of this PDF.';
      box.replaceChildren(make('p', { className: 'soft', textContent: text }));
    })
    .finally(() => box.removeAttribute('aria-busy'));
  return box;
}

/** The first page of `blob` as a picture; an empty one where it cannot be drawn. */
export function firstPage(blob, name) {
  const canvas = make('canvas', { width: WIDTH, height: WIDTH });
  // One at a time: each has a worker of its own.
  queue = queue.then(async () => {
    const task = await opened(blob);
    await drawPage(await task.promise, 1, canvas, name).finally(() => task.destroy());
  });
  queue = queue.catch(() => canvas.remove());
  return canvas;
}

async function draw(blob, box, list) {
  const document = await (await opened(blob)).promise;
  const total = document.numPages;
  const more = make('button', { type: 'button', className: 'small' });
  const next = async () => {
    more.remove();
    const from = list.children.length + 1;
    const to = Math.min(total, from + AT_ONCE - 1);
    for (let number = from; number <= to; number++) {
      const item = make('li');
      const canvas = make('canvas');
      item.append(canvas, make('span', { className: 'soft', textContent: String(number) }));
      await drawPage(document, number, canvas, `Page ${number}`);
      list.append(item);
    }
    more.textContent = `Show more: ${total - to} of ${total} pages are left`;
    if (to < total) box.append(more);
    else await document.loadingTask.destroy();
  };
  more.addEventListener('click', next);
  await next();
}

async function drawPage(document, number, canvas, label) {
  const page = await document.getPage(number);
  const viewport = page.getViewport({ scale: WIDTH / page.getViewport({ scale: 1 }).width });
  canvas.width = viewport.width;
  // A roll of paper is cut off.
  canvas.height = Math.min(viewport.height, 4 * WIDTH);
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', label);
  await page.render({ canvas, viewport }).promise;
  page.cleanup();
}

async function opened(blob) {
  const { getDocument, GlobalWorkerOptions } = await import('./pdf.js');
  GlobalWorkerOptions.workerSrc = import.meta.resolve('./pdf-worker.js');
  return getDocument({
    data: await blob.arrayBuffer(),
    // The policy lets nothing of that run.
    useWasm: false,
    useSystemFonts: true,
  });
}

const make = (tag, properties = {}) =>
  Object.assign(window.document.createElement(tag), properties);
