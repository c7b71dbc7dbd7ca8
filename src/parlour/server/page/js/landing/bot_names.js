// Names of bots that the page seats.

const NAMES = ["Ada", "Bruno", "Cleo", "Dov", "Edda", "Finn", "Gia"];

/**
 * Names of bots at one table: names of people first, then "Bot 8" and so on.
 *
 * @param {number} number the number of bots
 * @param {string[]} taken names that others at the table have
 */
export function botNames(number, taken = []) {
  const free = NAMES.filter((name) => !taken.includes(name));
  return Array.from({ length: number }, (_, index) => free[index] ?? `Bot ${index + 1}`);
}
