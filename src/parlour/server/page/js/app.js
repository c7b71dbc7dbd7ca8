// Which page this is: the landing, or a table.

import { clear, h } from "./dom.js";
import { landing } from "./landing.js";
import { applyLooks } from "./settings.js";
import { tablePage } from "./table.js";
import { t } from "./texts.js";

applyLooks();
const app = document.getElementById("app");
const table = location.pathname.match(/^\/table\/([\w-]+)\/?$/)?.[1];
document.body.classList.add(table ? "at-table" : "at-landing");
clear(app, h("p", { class: "loading" }, t("loading")));
if (table) tablePage(app, table);
else landing(app);
