// The page for a list: runs both parsers, batch by batch, and shows where they differ.

import { ATTRIBUTES, read } from "./compare.js";
import { element, escaped, needsEscapes, visible } from "./dom.js";
import { Outcome } from "./outcome.js";
import { Source } from "./sources.js";

const BATCH = 1000;
const BATCH_CHARACTERS = 2 * 1024 * 1024;
const SHOWN_AT_ONCE = 100;
const HANDED_OVER = "weburl-viewer";

const form = document.getElementById("list-form");
const cancel = document.getElementById("cancel");
const section = document.getElementById("outcome");
const progress = document.getElementById("progress");
const progressLine = document.getElementById("progress-line");
const status = document.getElementById("status");
const downloads = document.getElementById("downloads");
const list = document.getElementById("differences");

let running = null;

document.documentElement.classList.add("js");
form.hidden = false;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (running !== null) return;
  const own = new AbortController();
  running = own;
  begin();
  const outcome = new Outcome();
  let ending = "";
  try {
    const file = form.elements.file.files[0] ?? null;
    const source = await Source.of(file, form.elements.lines.value, form.elements.base.value || null);
    await compare(source, outcome, own.signal);
    if (source.skipped) ending = ` ${source.skipped.toLocaleString("en")} items contain no URL.`;
  } catch (error) {
    if (error.name === "AbortError") ending = " You cancelled the rest.";
    else ending = ` ${error instanceof TypeError ? "The server does not answer." : error.message}`;
  }
  running = null;
  finish(outcome, ending);
});

cancel.addEventListener("click", () => running?.abort());

async function compare(source, outcome, signal) {
  let batch = [];
  let characters = 0;
  for await (const one of source.cases()) {
    batch.push(one);
    characters += one.url.length;
    if (batch.length < BATCH && characters < BATCH_CHARACTERS) continue;
    await compareBatch(batch, outcome, signal);
    progress.value = source.done / source.total;
    batch = [];
    characters = 0;
  }
  await compareBatch(batch, outcome, signal);
}

async function compareBatch(batch, outcome, signal) {
  signal.throwIfAborted();
  if (!batch.length) return;
  const response = await fetch("batch.json", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(batch.map(({ url, base }) => [url, base])),
    signal,
  });
  if (!response.ok) throw new Error(`The server answers ${response.status}.`);
  const answers = await response.json();
  batch.forEach((one, at) => {
    const ours = answers[at] && Object.fromEntries(ATTRIBUTES.map((n, i) => [n, answers[at][i]]));
    outcome.add(one, ours, read(one.url, one.base));
  });
}

function begin() {
  section.hidden = false;
  progressLine.hidden = false;
  progress.value = 0;
  cancel.hidden = false;
  downloads.hidden = true;
  list.replaceChildren();
  status.textContent = "Comparing …";
}

function finish(outcome, ending) {
  progressLine.hidden = true;
  cancel.hidden = true;
  status.textContent = outcome.sentence + ending;
  if (!outcome.count) return;
  downloads.hidden = false;
  downloads.replaceChildren(
    download("Report as JSON", "url-differences.json", "application/json", () => outcome.json()),
    download("Report as CSV", "url-differences.csv", "text/csv", () => outcome.csv()),
  );
  if (outcome.different) showCounts(outcome);
}

function download(text, name, type, content) {
  const button = element("button", { type: "button", class: "quiet" }, text);
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content()], { type }));
    link.download = name;
    link.click();
    setTimeout(URL.revokeObjectURL, 60_000, link.href);
  });
  return button;
}

function showCounts(outcome) {
  const counts = [
    ["refused only by this browser", outcome.refusedByBrowser],
    ["refused only by weburl", outcome.refusedByWeburl],
    ...Object.entries(outcome.byAttribute).map(([name, count]) => [`different ${name}`, count]),
  ].filter(([, count]) => count);
  const items = counts.map(([name, count]) =>
    element("li", {}, element("strong", {}, count.toLocaleString("en")), ` ${name}`),
  );
  const header = ["Text", "Attribute", "weburl", "This browser"].map((name) =>
    element("th", { scope: "col" }, name),
  );
  const body = element("tbody");
  const table = element("table", { class: "cases" }, element("thead", {}, element("tr", {}, ...header)), body);
  const wide = { class: "wide", tabindex: "0", role: "region", "aria-label": "Differences" };
  const more = element("button", { type: "button", class: "quiet" });
  list.replaceChildren(element("ul", { class: "counts" }, ...items), element("div", wide, table), more);
  let shown = 0;
  const showMore = () => {
    for (const found of outcome.kept.slice(shown, shown + SHOWN_AT_ONCE)) body.append(...rowsOf(found));
    shown = Math.min(shown + SHOWN_AT_ONCE, outcome.kept.length);
    more.hidden = shown === outcome.kept.length;
    const rest = Math.min(SHOWN_AT_ONCE, outcome.kept.length - shown);
    more.textContent = `Show ${rest} more (${(outcome.kept.length - shown).toLocaleString("en")} left)`;
  };
  more.addEventListener("click", showMore);
  showMore();
  if (outcome.kept.length < outcome.different) {
    const text = `Only the first ${outcome.kept.length.toLocaleString("en")} differences are kept.`;
    list.append(element("p", { class: "none" }, text));
  }
}

/** Return a row for each attribute that differs, or one row if a side refuses. */
function rowsOf(found) {
  const { weburl, browser } = found;
  const names = weburl === null || browser === null ? ["href"] : Object.keys(weburl);
  const value = (side, name) => (side === null ? ["refused"] : visible(side[name], 300));
  return names.map((name, at) => {
    const cells = [
      element("th", { scope: "row" }, name),
      element("td", {}, ...value(weburl, name)),
      element("td", {}, ...value(browser, name)),
    ];
    if (at === 0) cells.unshift(textCell(found, names.length));
    return element("tr", {}, ...cells);
  });
}

function textCell({ url, base, expected }, rowspan) {
  const cell = element("td", { rowspan: String(rowspan) }, viewerLink(url, base));
  if (base !== null) cell.append(element("div", { class: "where" }, "base ", ...visible(base, 300)));
  if (expected !== undefined) {
    const value = expected === null ? ["refused"] : visible(expected, 300);
    cell.append(element("div", { class: "where" }, "expected ", ...value));
  }
  return cell;
}

/** Return a link that shows a case in the viewer. A possible password is kept out of its address. */
function viewerLink(url, base) {
  const escapes = needsEscapes(url) || needsEscapes(base ?? "");
  const write = escapes ? escaped : (text) => text;
  const state = { url: write(url), base: write(base ?? ""), escapes };
  const inAddress = !/@/.test(url + (base ?? "")) && url.length < 2000;
  const pairs = Object.entries({ ...state, escapes: escapes ? "1" : "" }).filter(([, text]) => text);
  const href = inAddress ? `./?${new URLSearchParams(pairs)}` : "./";
  const link = element("a", { href }, ...visible(url, 300));
  if (!inAddress) {
    link.addEventListener("click", () => {
      sessionStorage.setItem(HANDED_OVER, JSON.stringify(state));
    });
  }
  return link;
}
