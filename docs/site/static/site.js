// Code, tables and drawings that are wider than the page scroll by themselves. Only those can be
// reached by the Tab key, so that the arrow keys scroll them.
const WIDE = ".highlight pre, .table-wrapper, .map";

function reachWideParts() {
  for (const part of document.querySelectorAll(WIDE)) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

window.addEventListener("load", reachWideParts);
window.addEventListener("resize", reachWideParts);
// What was hidden, such as a text of the playground, may be opened.
document.addEventListener("toggle", reachWideParts, true);

// The list of all pages begins at the page that is shown.
function showInSidebar() {
  const list = document.querySelector(".sidebar-scroll");
  const current = list?.querySelector(".current-page");
  if (!current) return;
  const top = current.getBoundingClientRect().top - list.getBoundingClientRect().top;
  if (top > list.clientHeight * 0.8) {
    list.scrollTo({ top: list.scrollTop + top - list.clientHeight / 3, behavior: "instant" });
  }
}

window.addEventListener("DOMContentLoaded", showInSidebar);
