// eslint checks what prettier (layout) and typescript (names and types) do not.

import js from "@eslint/js";

export default [
  { ignores: [".venv*/"] },
  js.configs.recommended,
  {
    files: ["src/parlour/server/page/{js,worker}/**/*.js", "tests/page/**/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off", // typescript knows the names of the browser and of Node
      "max-len": ["error", { code: 120 }],
      "max-lines": ["error", 500],
      "prefer-const": "error",
      "no-var": "error",
      eqeqeq: "error",
      "object-shorthand": "error",
      "no-shadow": "error",
      "no-implicit-globals": "error",
      "no-return-assign": "error",
      "no-unused-expressions": "error",
      "require-await": "error",
    },
  },
];
