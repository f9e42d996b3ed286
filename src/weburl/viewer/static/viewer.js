// The page of one URL: queries the server as people type.

import { connect } from "./form.js";

const form = document.getElementById("url-form");
const [urlField, baseField] = ["url", "base"].map((id) => form.elements[id]);

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

if (urlField.value !== "" || baseField.value !== "") refresh();
else urlField.focus();
