// A picture of a result to share: the back of a card beside the lines of the result. It shows no card of the deal.

import "../common/more_messages.js";
import { SUITS } from "../common/glyphs.js";
import { locale } from "../common/language.js";
import { t } from "../common/texts.js";
import { suitOf } from "./daily_signs.js";
import { DAILY_PAGE_TEXTS } from "./daily_texts.js";

/** @import { DailyResult } from "../answers.d.ts" */

// Sizes in pixels.
const WIDTH = 1200;
const HEIGHT = 630;
const FONT = '-apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';
const PAPER = "#f3ece0";
const INK = "#26221d";
const SOFT = "#6b6256";
const ACCENT = "#1f5c57";
const RED = "#b5301c";
/** Width and height of a sign. */
const SIGN_SIZE = 58;

/**
 * Draw the picture and save it as a file.
 *
 * @param {DailyResult} result
 * @param {string} title
 */
export function sharePicture(result, title) {
  const canvas = drawPicture(result, title);
  canvas.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `parlour-${result.day}-${result.game}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}

/**
 * @param {DailyResult} result
 * @param {string} title
 * @returns {HTMLCanvasElement}
 */
export function drawPicture(result, title) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  canvas.setAttribute("aria-label", DAILY_PAGE_TEXTS.dailyPictureOf(title, result.day));
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  drawBack(pen, 90, 95, result.day);
  drawLines(pen, 470, result, title);
  return canvas;
}

/**
 * The back of a card with the date.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {number} left
 * @param {number} top
 * @param {string} day
 */
function drawBack(pen, left, top, day) {
  const [width, height] = [310, 440];
  pen.save();
  pen.translate(left + width / 2, top + height / 2);
  pen.rotate(-0.06);
  pen.translate(-width / 2, -height / 2);
  pen.fillStyle = "#fffdf8";
  pen.shadowColor = "rgb(16 12 8 / .3)";
  pen.shadowBlur = 28;
  pen.shadowOffsetY = 10;
  pen.beginPath();
  pen.roundRect(0, 0, width, height, 24);
  pen.fill();
  pen.shadowColor = "transparent";
  pen.fillStyle = ACCENT;
  pen.beginPath();
  pen.roundRect(18, 18, width - 36, height - 36, 14);
  pen.fill();
  pen.textAlign = "center";
  pen.fillStyle = "#cfe3dc";
  pen.font = `600 40px ${FONT}`;
  pen.fillText(t("dailyMonth", day).toLocaleUpperCase(locale), width / 2, 150);
  pen.fillStyle = "#fffdf8";
  pen.font = `700 170px ${FONT}`;
  pen.fillText(String(Number(day.slice(-2))), width / 2, 310);
  pen.restore();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} left
 * @param {DailyResult} result
 * @param {string} title
 */
function drawLines(pen, left, result, title) {
  const [, score, ...rest] = DAILY_PAGE_TEXTS.dailyLines(result, title).split("\n");
  const last = rest.at(-1) ?? "";
  pen.textAlign = "left";
  pen.fillStyle = SOFT;
  pen.font = `600 34px ${FONT}`;
  pen.fillText(t("parlour"), left, 150);
  pen.fillStyle = INK;
  writeFitting(pen, title, left, 225, 700, 68);
  writeFitting(pen, score, left, 300, 500, 38);
  (result.review?.signs ?? []).forEach((mark, index) => {
    drawSign(pen, suitOf(mark), left + index * (SIGN_SIZE + 8), 345);
  });
  pen.fillStyle = SOFT;
  writeFitting(pen, last, left, 480, 500, 34);
  writeFitting(pen, location.host, left, 540, 500, 30);
}

/**
 * Write a line, smaller where it would not fit.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} left
 * @param {number} base
 * @param {number} weight
 * @param {number} size
 */
function writeFitting(pen, text, left, base, weight, size) {
  pen.font = `${weight} ${size}px ${FONT}`;
  const room = WIDTH - left - 50;
  const { width } = pen.measureText(text);
  if (width > room) pen.font = `${weight} ${Math.floor((size * room) / width)}px ${FONT}`;
  pen.fillText(text, left, base);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} suit
 * @param {number} left
 * @param {number} top
 */
function drawSign(pen, suit, left, top) {
  pen.save();
  pen.translate(left, top);
  pen.scale(SIGN_SIZE / 24, SIGN_SIZE / 24);
  pen.fillStyle = suit === "H" || suit === "D" ? RED : INK;
  pen.fill(new Path2D(SUITS[suit]));
  pen.restore();
}
