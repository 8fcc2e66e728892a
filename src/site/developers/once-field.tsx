/** A field with the id of a form instance: a form that is sent again by a reload has no effect. */

export function OnceField() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}
