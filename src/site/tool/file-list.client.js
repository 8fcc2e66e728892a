/** The files of a form: dropped, pasted or chosen, listed with pictures, ordered by dragging or with buttons. */
import { sizeText } from './both-sides.js';

/** Makes the field `box` pleasant; gives a function that tells the chosen files, in order. */
export function fileList(box) {
  const input = box.querySelector('input');
  const list = box.querySelector('.files');
  const said = box.querySelector('[data-said]');
  const drop = box.querySelector('.drop');
  const several = input.multiple;
  const most = Number(box.dataset.max);

  let files = [];

  function add(more) {
    const all = several ? [...files, ...more] : more;
    files = all.slice(0, most);
    show();
    if (more.length > 0) tell(all.length > most);
  }

  const tell = (detail = false) =>
    box.dispatchEvent(new CustomEvent('files', { bubbles: true, detail }));

  input.addEventListener('change', take);
  // What was chosen before this script was there, once those who listen do so.
  queueMicrotask(take);

  function take() {
    if (input.files.length > 0) add([...input.files]);
    // So that the same file can be chosen again.
    input.value = '';
  }

  for (const name of ['dragenter', 'dragover']) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      drop.classList.add('over');
    });
  }
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) drop.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    drop.classList.remove('over');
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    add([...event.dataTransfer.files]);
  });
  document.addEventListener('paste', (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    add(pasted);
  });

  function show(focused, direction) {
    for (const image of list.querySelectorAll('img')) URL.revokeObjectURL(image.src);
    list.replaceChildren(...files.map(row));
    const wanted = focused === undefined ? null : list.children[focused];
    const button = wanted?.querySelector(`[data-move="${direction}"]:not(:disabled)`);
    (button ?? wanted?.querySelector('button:not(:disabled)'))?.focus();
  }

  function row(file, index) {
    const item = document.createElement('li');
    if (file.type.startsWith('image/') && file.size < 20 * 2 ** 20) {
      const image = document.createElement('img');
      image.src = URL.createObjectURL(file);
      image.alt = '';
      image.onerror = () => image.remove();
      item.append(image);
    }
    const name = document.createElement('span');
    name.className = 'name';
    const size = document.createElement('span');
    size.className = 'hint';
    size.textContent = sizeText(file.size);
    name.append(file.name, size);
    item.append(name);
    if (several) {
      item.draggable = true;
      item.append(
        button('↑', `Move ${file.name} up`, index === 0, () => move(index, index - 1), 'up'),
        button(
          '↓',
          `Move ${file.name} down`,
          index === files.length - 1,
          () => move(index, index + 1),
          'down',
        ),
      );
      item.addEventListener('dragstart', (event) => {
        event.dataTransfer.setData('text/x-index', String(index));
        event.dataTransfer.effectAllowed = 'move';
        item.classList.add('dragged');
      });
      item.addEventListener('dragend', () => show());
      item.addEventListener('dragover', (event) => {
        if (!event.dataTransfer.types.includes('text/x-index')) return;
        event.preventDefault();
        item.classList.add('target');
      });
      item.addEventListener('dragleave', () => item.classList.remove('target'));
      item.addEventListener('drop', (event) => {
        const from = event.dataTransfer.getData('text/x-index');
        if (from === '') return;
        event.preventDefault();
        move(Number(from), index);
      });
    }
    item.append(button('✕', `Remove ${file.name}`, false, () => remove(index)));
    return item;
  }

  function button(glyph, label, disabled, act, direction) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = glyph;
    made.setAttribute('aria-label', label);
    made.disabled = disabled;
    if (direction) made.dataset.move = direction;
    made.addEventListener('click', act);
    return made;
  }

  function move(from, to) {
    if (to < 0 || to >= files.length || from === to) return;
    const [file] = files.splice(from, 1);
    files.splice(to, 0, file);
    tell();
    show(to, to < from ? 'up' : 'down');
    said.textContent = `${file.name} is now number ${to + 1} of ${files.length}.`;
  }

  function remove(index) {
    const [file] = files.splice(index, 1);
    tell();
    show(Math.min(index, files.length - 1));
    if (files.length === 0) input.focus();
    said.textContent = `${file.name} was removed.`;
  }

  return () => files;
}
