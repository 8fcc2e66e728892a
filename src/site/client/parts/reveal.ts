/** Shows the elements inside `root` that need scripts and that the styles alone leave hidden. */
export function reveal(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-js], [data-save]'))
    element.hidden = false;
}
