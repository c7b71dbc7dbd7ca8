// Prints for each path on standard input whether the module there has the same syntax tree as the served text.

import process from "node:process";
import { parse } from "espree";

const POSITIONS = new Set(["start", "end"]);

const tree = (text) =>
  JSON.stringify(parse(text, { ecmaVersion: "latest", sourceType: "module" }), (key, value) => {
    if (POSITIONS.has(key)) return undefined;
    return typeof value === "bigint" || value instanceof RegExp ? String(value) : value;
  });

let input = "";
for await (const part of process.stdin) input += part;
const different = Object.entries(JSON.parse(input)).filter(([, [one, other]]) => tree(one) !== tree(other));
process.stdout.write(JSON.stringify(different.map(([path]) => path)));
