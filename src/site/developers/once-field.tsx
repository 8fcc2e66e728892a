/**
 * Renders a hidden field with the id of a form instance. It makes a form that is sent again by a reload have no effect.
 */

export function OnceField() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}
