// The form of one URL: asks for the report of what people type, and shows it.
//
// Who answers is up to the page: the viewer's server, or weburl in the browser.

import { fillColumn } from "./compare.js";
import { build } from "./dom.js";

const TYPING = 180; // milliseconds without a key before the question is sent
const SPEAKING = 1200; // milliseconds before a screen reader is told

/**
 * Connect the form, the results and the table of the query with what answers. Return a function
 * that asks about the fields as they are.
 *
 * `ask(question, signal)` returns a promise of the answer to a question, as in `responding.py`; it
 * rejects with an error whose message is for people. `remember(query)` gets the query of an address
 * that shows the same, or null.
 */
export function connect(ask, remember) {
  const form = document.getElementById("url-form");
  const names = ["url", "base", "pattern", "escapes"];
  const [urlField, baseField, patternField, escapes] = names.map((id) => form.elements[id]);
  const results = document.getElementById("results");
  const status = document.getElementById("status");
  const note = document.getElementById("address-note");
  const query = document.getElementById("query");
  const rows = document.getElementById("rows");
  const more = document.getElementById("more");

  let request = null;
  let typing = 0;
  let speaking = 0;

  /** Ask about the fields, with the rows of the query if they were edited. */
  async function refresh(editedRows = null) {
    more.open ||= Boolean(baseField.value || patternField.value || escapes.checked);
    clearTimeout(typing);
    request?.abort();
    if (urlField.value === "" && baseField.value === "" && editedRows === null) {
      request = null;
      showNothing();
      return;
    }
    const own = new AbortController();
    request = own;
    const body = {
      url: urlField.value,
      base: baseField.value,
      pattern: patternField.value,
      escapes: escapes.checked,
    };
    if (editedRows) body.rows = editedRows.map(values);
    try {
      const answer = await ask(body, own.signal);
      if (request === own) show(answer, editedRows);
    } catch (error) {
      if (request !== own || error.name === "AbortError") return;
      say(error.message);
    }
  }

  function show(answer, editedRows) {
    if (editedRows) {
      urlField.value = answer.state.url;
      baseField.value = answer.state.base;
      escapes.checked = answer.state.escapes;
      number(editedRows);
    } else {
      rows.replaceChildren(...answer.query.map(build));
    }
    results.replaceChildren(...answer.results.map(build));
    query.hidden = false;
    const compared = fillColumn(results, answer.report);
    note.textContent = answer.note;
    note.hidden = answer.note === "";
    remember(answer.address);
    say(`${answer.verdict} ${compared}`);
  }

  function showNothing() {
    results.replaceChildren();
    rows.replaceChildren();
    query.hidden = true;
    note.hidden = true;
    remember(null);
    say("");
  }

  /** Tell a screen reader, once the person has stopped typing. */
  function say(text) {
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      if (status.textContent !== text) status.textContent = text;
    }, SPEAKING);
  }

  function later() {
    clearTimeout(speaking);
    clearTimeout(typing);
    typing = setTimeout(refresh, TYPING);
  }

  // --- the rows of the query --------------------------------------------------------------------

  function values(row) {
    const [name, value] = row.querySelectorAll("textarea");
    return [name.value, value.value, row.dataset.row];
  }

  /** Return the rows that count: all except empty rows for a new pair. */
  function meantRows() {
    return [...rows.querySelectorAll("tbody tr")].filter((row) => values(row).some(Boolean));
  }

  /** Number the rows that were written into the URL, and add an empty row for the next pair. */
  function number(writtenRows) {
    writtenRows.forEach((row, at) => {
      row.dataset.row = at;
      row.querySelector("[name=row]").value = at;
      const [name, value] = row.querySelectorAll("textarea");
      name.setAttribute("aria-label", `Name, row ${at + 1}`);
      value.setAttribute("aria-label", `Value, row ${at + 1}`);
      row.lastElementChild.querySelector("button")?.remove();
      row.lastElementChild.append(removeButton(at));
    });
    const all = [...rows.querySelectorAll("tbody tr")];
    if (all.length && all.at(-1).dataset.row !== "") all.at(-1).after(newRow(all.at(-1)));
  }

  function removeButton(at) {
    const label = ["span", { class: "vh" }, [` row ${at + 1}`]];
    const attributes = { class: "quiet", name: "remove", value: String(at) };
    return build(["button", attributes, ["Remove", label]]);
  }

  function newRow(last) {
    const row = last.cloneNode(true);
    row.dataset.row = "";
    row.querySelector("[name=row]").value = "";
    for (const field of row.querySelectorAll("textarea")) {
      field.value = "";
      field.setAttribute("aria-label", field.name === "name" ? "Name, new row" : "Value, new row");
    }
    row.querySelector("button")?.remove();
    return row;
  }

  rows.addEventListener("input", () => {
    clearTimeout(speaking);
    clearTimeout(typing);
    typing = setTimeout(() => refresh(meantRows()), TYPING);
  });

  document.getElementById("query-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const row = event.submitter?.name === "remove" ? event.submitter.closest("tr") : null;
    if (row) {
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      next?.querySelector("textarea").focus();
    }
    refresh(meantRows());
  });

  // --- the fields -------------------------------------------------------------------------------

  for (const field of [urlField, baseField, patternField]) {
    field.addEventListener("input", () => later());
    field.addEventListener("keydown", (event) => {
      // Enter submits. Line ends can be typed with Shift, or pasted.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      refresh();
    });
  }
  rows.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    if (!(event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    refresh(meantRows());
  });
  escapes.addEventListener("change", () => refresh());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    refresh();
  });
  return () => refresh();
}
