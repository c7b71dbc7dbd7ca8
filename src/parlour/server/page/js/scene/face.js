// The face of a game: the class whose rule in faces.css (made by the server) has the colours and the drawing of its
// table.

/**
 * Let an element and the tables in it look like the tables of a game.
 *
 * @param {HTMLElement} element
 * @param {string} game the game's id
 */
export const wearFace = (element, game) => element.classList.add(`face-${game}`);

/**
 * The classes of a part of a page that looks like the tables of a game.
 *
 * @param {string} game the game's id
 */
export const clothOf = (game) => `cloth face-${game}`;
