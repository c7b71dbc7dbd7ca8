// What the number of players leaves of a game's options.

/** The least and the greatest number, where they depend on the number of players. */
export function limitsOf(option, players) {
  const [min, max] = option.limits[players] ?? [option.min, option.max];
  return { min, max };
}

/** Whether this number of players refuses this value. */
export function refuses(option, players, value) {
  const [least, most] = option.limits[players] ?? [-Infinity, Infinity];
  return Boolean(option.refused?.[players]?.[String(value)]) || value < least || value > most;
}

/** The chosen values that this number of players allows; the others go back to their defaults. */
export function possibleOptions(game, players, chosen) {
  const kept = game.options
    .filter(({ name }) => name in chosen)
    .filter((option) => !refuses(option, players, chosen[option.name]));
  return Object.fromEntries(kept.map(({ name }) => [name, chosen[name]]));
}

/** The chosen values after one more choice; a value that is the default is not kept. */
export function withOption(game, players, chosen, name, value) {
  const { [name]: _, ...others } = chosen;
  const usual = game.options.find((option) => option.name === name).defaults[players];
  return value === usual ? others : { ...others, [name]: value };
}
