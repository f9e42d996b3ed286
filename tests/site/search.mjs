// Prints what the search of a built site finds, as its pages would: node search.mjs SITE < queries
// For each line of input, a line with a JSON list of pages, the best first.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const site = process.argv[2];
const page = {
  readyState: "loading",
  addEventListener() {},
  getElementById: () => null,
  querySelector: () => null,
  documentElement: { dataset: { content_root: "./" } },
};
const context = vm.createContext({
  document: page,
  location: { search: "" },
  URLSearchParams,
  SPHINX_HIGHLIGHT_ENABLED: false,
  console,
});
context.window = context;
// In the order of the page.
for (const name of ["documentation_options.js", "doctools.js", "searchtools.js", "language_data.js"]) {
  vm.runInContext(readFileSync(join(site, "_static", name), "utf8"), context);
}
vm.runInContext(readFileSync(join(site, "searchindex.js"), "utf8"), context);

for (const query of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  context.location.search = "?" + new URLSearchParams({ q: query });
  context.query = query;
  // Results are taken from the end of the list.
  const found = vm.runInContext("Search._performSearch(...Search._parseQuery(query))", context);
  console.log(JSON.stringify(found.reverse().map(([name]) => name)));
}
