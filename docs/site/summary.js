// The hits of the search: each shows the sentence that matches best, and leads to its section. This
// follows Sphinx's `Search` and our `Scorer`.

const LONGEST_SENTENCE = 300;
const BLOCKS = "p, li, td, dt, pre";

/** Return how many of the words a text has, in any of their endings and synonyms. */
function countWords(text, words) {
  const stems = new Set((text.toLowerCase().match(/[\w+]+/g) ?? []).map(Scorer.stem));
  return words.filter((word) => Scorer.sameAs(word).some((same) => stems.has(same))).length;
}

/** Return the best sentence below `root`: its text, and the section that it is in. */
function bestSentence(root, words) {
  let best = { score: 0, text: "", section: null };
  for (const block of root.querySelectorAll(BLOCKS)) {
    if (block.querySelector(BLOCKS)) continue; // its parts are looked at alone
    const section = block.closest("section");
    const heading = section?.querySelector(":is(h1, h2, h3, h4)")?.textContent ?? "";
    for (const part of block.textContent.split(block.matches("pre") ? "\n" : /(?<=[.!?:])\s+/)) {
      const inText = countWords(part, words);
      const score = inText + (inText ? countWords(heading, words) / 2 : 0);
      if (score > best.score) best = { score, text: part.trim(), section };
    }
  }
  return best;
}

Search.makeSearchSummary = (html, keywords, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const main = page.querySelector("[role=main]") ?? page.body;
  for (const left of main.querySelectorAll(".headerlink, script, style, nav")) left.remove();
  const root = (anchor && page.getElementById(anchor.slice(1))?.closest("section, dl")) || main;
  const best = bestSentence(root, [...keywords]);
  const summary = document.createElement("p");
  summary.className = "context";
  const first = root.querySelector("p")?.textContent ?? "";
  summary.textContent = (best.text || first).slice(0, LONGEST_SENTENCE);
  const id = best.section?.id;
  // The hit gets the summary right after this.
  queueMicrotask(() => {
    const link = summary.parentElement?.querySelector("a");
    if (link && id && !anchor && best.section !== main.querySelector("section")) {
      link.href = `${link.getAttribute("href")}#${id}`;
    }
  });
  return summary;
};
