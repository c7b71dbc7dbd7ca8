// The options of a game in tests.

/** An option that is switched off by default, unless `more` says otherwise. */
export const option = (name, more = {}) => ({
  name,
  title: name,
  kind: "boolean",
  clause: "W-1",
  help: `what ${name} does`,
  limits: {},
  titles: {},
  defaults: { 2: false, 3: false },
  ...more,
});
