// The page of one URL: queries the server as people type.

import { connect } from "./form.js";

const HANDED_OVER = "weburl-viewer";

const form = document.getElementById("url-form");
const [urlField, baseField, escapes] = ["url", "base", "escapes"].map((id) => form.elements[id]);

document.documentElement.classList.add("js");

async function ask(question, signal) {
  let response;
  try {
    response = await fetch("report.json", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
      signal,
    });
  } catch (error) {
    throw error instanceof TypeError ? new Error("The server does not answer.") : error;
  }
  if (!response.ok) throw new Error(`The server answers ${response.status}.`);
  return response.json();
}

function remember(query) {
  history.replaceState(null, "", query ?? location.pathname);
  document.title = "URL viewer";
}

const refresh = connect(ask, remember);

// The list page hands over a URL that may contain a password without using the address.
const handedOver = sessionStorage.getItem(HANDED_OVER);
if (handedOver !== null) {
  sessionStorage.removeItem(HANDED_OVER);
  const state = JSON.parse(handedOver);
  urlField.value = state.url;
  baseField.value = state.base;
  escapes.checked = state.escapes;
}
if (urlField.value !== "" || baseField.value !== "") refresh();
else urlField.focus();
