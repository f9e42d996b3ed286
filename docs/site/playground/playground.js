// The playground: the page contains weburl's readings, and this script adds the browser's. Where it
// can, it also runs weburl, which then reads any text.

import { differences, fillColumn, read } from "./compare.js";
import { element, escaped, needsEscapes, visible } from "./dom.js";
import { connect } from "./form.js";

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
filter();
addEventListener("hashchange", openNamed);
openNamed();

// --- any text, read by the browser alone --------------------------------------------------------

const fields = document.getElementById("url-form").elements;

function showOwn() {
  const url = fields.url.value;
  const base = fields.base.value || null;
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

for (const field of [fields.url, fields.base]) {
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
showOwn();

// --- any text, read by weburl in this browser ---------------------------------------------------

const engine = byId("engine").dataset.engine ? JSON.parse(byId("engine").dataset.engine) : null;
let worker = null;
let asked = null; // what the worker is answering
let waiting = null; // the newest question, for when it has answered

/** Return a number of bytes in megabytes, on one line. */
function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(1)}\u00a0MB`;
}

/** Return why this browser cannot run weburl here, or "". */
function obstacle() {
  if (location.protocol === "file:") return "The page is opened as a file, without a server.";
  if (typeof WebAssembly !== "object") return "This browser does not have WebAssembly.";
  if (typeof Worker !== "function") return "This browser does not have workers.";
  return "";
}

/** Say that only the browser reads what people type, and why. */
function fail(reason) {
  worker?.terminate();
  worker = null;
  for (const question of [asked, waiting]) question?.reject(new Error(reason));
  asked = waiting = null;
  byId("progress").parentElement.hidden = true;
  byId("engine").textContent = `Only your browser reads what you type. ${reason}`;
  showAlone(true);
}

function showAlone(alone) {
  byId("alone").hidden = !alone;
  document.getElementById("results").hidden = alone;
  document.getElementById("query").hidden = true;
  for (const part of document.querySelectorAll("[data-live]")) part.hidden = alone;
  for (const button of document.querySelectorAll(".twin .again")) button.hidden = alone;
  if (alone) showOwn();
}

/** Return a worker that runs the script at an address; it gets this page's policy. */
function workerOf(address) {
  const blob = new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" });
  const own = URL.createObjectURL(blob);
  const createScriptURL = (url) => {
    if (url !== own) throw new TypeError("This is not the worker of the playground.");
    return url;
  };
  const policy = globalThis.trustedTypes?.createPolicy("weburl-worker", { createScriptURL });
  return new Worker(policy ? policy.createScriptURL(own) : own, { type: "module" });
}

function load() {
  if (worker !== null) return;
  const size = megabytes(engine.size);
  const others = engine.wheels.length - 1;
  byId("load").parentElement.hidden = true;
  byId("engine").textContent =
    `Loading weburl ${engine.weburl}, ${others} packages that it needs, and Pyodide ` +
    `${engine.pyodide}, which is Python ${engine.python}: ${size}.`;
  byId("progress").parentElement.hidden = false;
  showLoaded(0);
  try {
    const script = document.querySelector("script[src$='playground.js']").src;
    worker = workerOf(new URL("worker.js", script).href);
  } catch (error) {
    fail(`Its worker does not start: ${error.message}`);
    return;
  }
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => {
    event.preventDefault();
    fail("Its script does not load.");
  };
  worker.postMessage({ wheels: engine.wheels, scripts: engine.scripts });
}

function showLoaded(bytes) {
  const share = Math.min(1, bytes / engine.size);
  byId("progress").value = share;
  const size = megabytes(engine.size);
  byId("loaded").textContent =
    share < 1 ? `${megabytes(share * engine.size)} of ${size}` : `${size} loaded, Python starts`;
}

function receive(data) {
  if (worker === null) return; // it was stopped, and this was on its way
  if (data.loaded !== undefined) showLoaded(data.loaded);
  else if (data.ready) goLive();
  else if (data.failure !== undefined) fail(`weburl stopped: ${data.failure}`);
  else answered(...data.answer);
}

function goLive() {
  byId("progress").parentElement.hidden = true;
  byId("engine").textContent =
    `weburl ${engine.weburl} runs in your browser, with Python ${engine.python}. ` +
    "What you type stays on this page.";
  showAlone(false);
  const refresh = connect(ask, () => {});
  for (const { details, report } of readings) details.append(again(report, refresh));
  refresh();
}

/** Ask the worker; it answers one question at a time, and of those that wait only the newest. */
function ask(question) {
  return new Promise((resolve, reject) => {
    if (worker === null) {
      showOwn();
      reject(new Error("weburl does not run any more."));
      return;
    }
    waiting?.reject(new DOMException("There is a newer question.", "AbortError"));
    waiting = { text: JSON.stringify(question), resolve, reject };
    if (asked === null) askNext();
  });
}

function askNext() {
  [asked, waiting] = [waiting, null];
  if (asked !== null) worker.postMessage({ question: asked.text });
}

function answered(status, text) {
  const { resolve, reject } = asked;
  askNext();
  if (!status.startsWith("200 ")) {
    reject(new Error(`weburl answers ${status}.`));
    return;
  }
  const answer = JSON.parse(text);
  answer.note = ""; // the address of this page never contains what people type
  answer.results = answer.results.map(below);
  resolve(answer);
}

/** Return an element of an answer with headings one level below those of the viewer's own page. */
function below(node) {
  if (typeof node === "string") return node;
  const [tag, attributes, children] = node;
  return [tag === "h2" ? "h3" : tag, attributes, children.map(below)];
}

/** Return a button that puts a text of the list into the fields. */
function again({ input, base }, refresh) {
  const button = element("button", { type: "button", class: "quiet" }, "Change this text");
  button.addEventListener("click", () => {
    const escapes = [input, base ?? ""].some(needsEscapes);
    const written = escapes ? escaped : (text) => text;
    fields.url.value = written(input);
    fields.base.value = written(base ?? "");
    fields.pattern.value = "";
    fields.escapes.checked = escapes;
    refresh();
    fields.url.focus();
  });
  return element("p", { class: "buttons again" }, button);
}

if (engine !== null) {
  const reason = obstacle();
  if (reason) {
    fail(reason);
  } else if (navigator.connection?.saveData) {
    byId("engine").textContent =
      "Only your browser reads what you type. Your browser is set to save data, so weburl is not " +
      `loaded until you want it: ${megabytes(engine.size)} from this site.`;
    byId("load").parentElement.hidden = false;
    byId("load").addEventListener("click", load);
  } else {
    const form = document.getElementById("url-form");
    form.addEventListener("focusin", load, { once: true });
    if (form.contains(document.activeElement)) load();
  }
}
