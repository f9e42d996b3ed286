// The playground: the page contains weburl's readings, and this script adds the browser's.

import { differences, fillColumn, read } from "./compare.js";
import { element, visible } from "./dom.js";

const byId = (id) => document.getElementById(`playground-${id}`);
const readings = [...document.querySelectorAll("details.reading")].map((details) => {
  const report = JSON.parse(details.dataset.report);
  const theirs = read(report.input, report.base);
  const differs = differences(report.attributes, theirs).length > 0;
  return { details, report, differs, words: details.firstElementChild.textContent.toLowerCase() };
});

// --- the list -----------------------------------------------------------------------------------

for (const { details, report, differs } of readings) {
  fillColumn(details, report);
  details.querySelector("[data-differs]").hidden = !differs;
  details.addEventListener("toggle", () => {
    const isNamed = named()?.closest("details.reading") === details;
    if (details.open === isNamed) return;
    history.replaceState(null, "", details.open ? `#${details.id}` : location.href.split("#")[0]);
  });
}

/** Return the element that the address names: a text, or an error in one. */
function named() {
  return document.getElementById(location.hash.slice(1));
}

function openNamed() {
  const details = named()?.closest("details.reading");
  if (!details) return;
  details.open = true;
  named().scrollIntoView({ behavior: "instant" }); // smooth scrolling does not always get there
}

function filter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const differing = byId("differing").checked;
  let count = 0;
  for (const reading of readings) {
    const shown = words.every((word) => reading.words.includes(word));
    reading.details.hidden = !shown || (differing && !reading.differs);
    if (!reading.details.hidden) count += 1;
  }
  for (const group of document.querySelectorAll(".twin .group")) {
    group.hidden = !group.querySelector("details:not([hidden])");
  }
  const all = readings.filter((reading) => reading.differs).length;
  byId("count").textContent =
    `${count} of ${readings.length} texts. This browser reads ${all} of them differently.`;
  byId("none").hidden = count > 0;
}

byId("filter").addEventListener("input", filter);
byId("differing").addEventListener("change", filter);
byId("form").addEventListener("submit", (event) => event.preventDefault());
byId("form").hidden = false;
filter();
addEventListener("hashchange", openNamed);
openNamed();

// --- any text -----------------------------------------------------------------------------------

function showOwn() {
  const url = byId("url").value;
  const base = byId("base").value || null;
  const isEmpty = url === "" && base === null;
  const found = isEmpty ? null : read(url, base);
  byId("own-verdict").textContent = isEmpty ? "" : sentence(found, base);
  byId("own-parts").hidden = found === null;
  for (const cell of byId("own-parts").querySelectorAll("[data-own]")) {
    const value = found === null ? [] : visible(found[cell.dataset.own]);
    cell.replaceChildren(element("span", {}, ...value));
  }
  const listed = readings.find(({ report }) => report.input === url && report.base === base);
  byId("listed").hidden = isEmpty || !listed;
  if (!listed) return;
  const link = element("a", { href: `#${listed.details.id}` }, "how weburl reads it");
  byId("listed").replaceChildren("This text is in the list: ", link, ".");
}

function sentence(found, base) {
  if (found !== null) return "This browser reads it.";
  if (base !== null && read(base, null) === null) return "This browser refuses the base.";
  return "This browser refuses it.";
}

for (const field of [byId("url"), byId("base")]) {
  field.addEventListener("input", showOwn);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) event.preventDefault();
  });
}
byId("listed").addEventListener("click", () => {
  byId("filter").value = "";
  byId("differing").checked = false;
  filter();
  setTimeout(openNamed);
});
byId("own").hidden = false;
byId("without").hidden = true;
showOwn();
