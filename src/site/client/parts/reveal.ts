/** Shows the elements inside `root` that need scripts and that the stylesheet does not show by itself. */
export function reveal(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-js], [data-save]'))
    element.hidden = false;
}
