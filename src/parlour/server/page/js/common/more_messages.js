// The translations of messages that the landing and a running table do without. The modules with such messages import
// this one before they translate any.

import { language } from "./language.js";

if (language !== "en") await import(`../../language/more-${language}.js`);
