/** generate_password: the password options and the generated passwords. */

const KINDS = [
  ['lowercase', 'Lower case, a to z'],
  ['uppercase', 'Upper case, A to Z'],
  ['digits', 'Digits, 0 to 9'],
  ['symbols', 'Symbols, such as ! # %'],
  ['avoidLookalikes', 'Without look-alikes (0 O, 1 l I)'],
] as const;

export function GeneratePassword() {
  return (
    <form id="form" class="workbench">
      <div class="card stack">
        <div class="fields">
          <div class="field">
            <label for="length">Length</label>
            <input id="length" type="number" min={4} max={256} value={20} required />
          </div>
          <div class="field">
            <label for="count">How many</label>
            <input id="count" type="number" min={1} max={100} value={5} required />
          </div>
        </div>
        <fieldset class="plain">
          <legend class="label">Characters</legend>
          {KINDS.map(([name, label]) => (
            <div class="check">
              <input type="checkbox" id={name} checked />
              <label for={name}>{label}</label>
            </div>
          ))}
        </fieldset>
        <div class="actions">
          <button type="submit" class="main">
            Generate new passwords
          </button>
        </div>
      </div>
      <section class="card stack" aria-labelledby="passwords-title">
        <div class="cluster apart">
          <h2 id="passwords-title">Passwords</h2>
          <span class="chip" id="strength" />
        </div>
        <ul id="passwords" class="passwords" aria-live="polite" />
      </section>
    </form>
  );
}
