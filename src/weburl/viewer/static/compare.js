// Compares the browser's own parser with ours.

import { element, visible } from "./dom.js";

export const ATTRIBUTES = [
  "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname",
  "search", "searchParams", "hash",
];

/** Return the attributes of the browser's URL, or null if it refuses. `base` may be null. */
export function read(url, base) {
  try {
    const found = base === null ? new URL(url) : new URL(url, base);
    return Object.fromEntries(ATTRIBUTES.map((name) => [name, String(found[name])]));
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Return the names of the attributes that differ: all of them if one side refuses. */
export function differences(ours, theirs) {
  if (ours === null && theirs === null) return [];
  if (ours === null || theirs === null) return [...ATTRIBUTES];
  return ATTRIBUTES.filter((name) => ours[name] !== theirs[name]);
}

/** Return a sentence that compares the browser's reading with ours. */
export function sentence(ours, theirs) {
  if (ours === null && theirs === null) return "This browser refuses it too.";
  if (theirs === null) return "This browser refuses it.";
  if (ours === null) return "This browser accepts it.";
  const differing = differences(ours, theirs);
  if (!differing.length) return "This browser reads every part the same.";
  return `This browser reads a different ${differing.join(", ")}.`;
}

/** Show what the browser reads differently, and once what both read; return a sentence about it. */
export function fillColumn(root, report) {
  const ours = report.attributes;
  const theirs = read(report.input, report.base);
  const differing = differences(ours, theirs);
  const text = sentence(ours, theirs);
  const verdict = root.querySelector("[data-browser-verdict]");
  verdict.textContent = differing.length ? `≠ ${text}` : text;
  verdict.classList.toggle("differs", differing.length > 0);
  verdict.hidden = false;
  const table = root.querySelector("table.parts");
  table.hidden = ours === null && theirs === null;
  table.querySelector("thead [data-browser]").hidden = false;
  const isEmpty = (name) => ours?.[name] === "" && theirs?.[name] === "";
  const note = root.querySelector("[data-empty]");
  if (note) {
    const names = ATTRIBUTES.filter(isEmpty);
    note.textContent = `Empty: ${names.join(", ")}.`;
    note.hidden = !names.length;
  }
  for (const row of table.querySelectorAll("[data-attribute]")) {
    const name = row.dataset.attribute;
    const differs = differing.includes(name);
    const value = theirs === null ? ["refused"] : visible(theirs[name]);
    const [own, browsers] = row.querySelectorAll("td");
    const mark = element("span", { class: "mark" }, "≠ differs");
    browsers.replaceChildren(element("span", {}, ...value), ...(differs ? [" ", mark] : []));
    browsers.hidden = !differs;
    row.hidden = isEmpty(name);
    own.colSpan = differs ? 1 : 2;
    own.dataset.label = differs ? "weburl" : "both";
    row.classList.toggle("differs", differs);
  }
  return text;
}
