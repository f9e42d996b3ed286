// Builds elements from values, never from HTML, so that text cannot become markup.

const TAGS = new Set([
  "a", "bdi", "button", "code", "dd", "details", "div", "dl", "dt", "h2", "h3", "input", "li",
  "mark", "ol", "p", "section", "span", "strong", "summary", "sup", "table", "tbody", "td",
  "textarea", "th", "thead", "tr", "ul",
]);
const ATTRIBUTES = new Set([
  "autocapitalize", "autocomplete", "class", "colspan", "dir", "hidden", "href", "id", "name",
  "rel", "role", "rows", "rowspan", "scope", "spellcheck", "start", "tabindex", "type", "value",
]);
const HREF = /^(#|\.\/|https:\/\/url\.spec\.whatwg\.org\/#)/;

// As in escapes.py: code points that fields or addresses lose, that are invisible, or that move the
// text around them.
const UNSEEN =
  /[\x00-\x1f\x7f-\xa0\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\u{e0000}-\u{e0fff}]/gu;
const NAMES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };
const LONGEST = 2000;

/** Return the node for `[tag, attributes, children]` or for text. */
export function build(value) {
  if (typeof value === "string") return document.createTextNode(value);
  const [tag, attributes, children] = value;
  if (!TAGS.has(tag)) throw new Error(`element not allowed: ${tag}`);
  const node = document.createElement(tag);
  for (const [name, content] of Object.entries(attributes)) {
    const known = ATTRIBUTES.has(name) || name.startsWith("data-") || name.startsWith("aria-");
    if (!known || (name === "href" && !HREF.test(content))) {
      throw new Error(`attribute not allowed: ${name}`);
    }
    node.setAttribute(name, content === true ? "" : content);
  }
  node.append(...children.map(build));
  return node;
}

/** Return an element with attributes and children. */
export function element(tag, attributes = {}, ...children) {
  const node = build([tag, attributes, []]);
  node.append(...children);
  return node;
}

/** Return nodes that show the first `longest` units of a text, with invisible ones as numbers. */
export function visible(text, longest = LONGEST) {
  if (text === "") return [element("span", { class: "absent" }, "empty")];
  const shown = text.slice(0, longest);
  const nodes = [];
  let end = 0;
  for (const found of shown.matchAll(UNSEEN)) {
    nodes.push(shown.slice(end, found.index));
    const number = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    nodes.push(element("span", { class: "cp" }, `U+${number}`));
    end = found.index + found[0].length;
  }
  nodes.push(shown.slice(end));
  if (text.length > longest) {
    const more = (text.length - longest).toLocaleString("en");
    nodes.push(element("span", { class: "more" }, `… and ${more} more characters`));
  }
  return nodes.filter((node) => node !== "");
}

/** Return a text with escapes for what is invisible or lost in a field or an address. */
export function escaped(text) {
  return text.replaceAll("\\", "\\\\").replace(UNSEEN, (char) => {
    const number = char.codePointAt(0);
    if (char in NAMES) return NAMES[char];
    if (number < 0x100) return `\\x${number.toString(16).padStart(2, "0")}`;
    if (number < 0x10000) return `\\u${number.toString(16).padStart(4, "0")}`;
    return `\\u{${number.toString(16)}}`;
  });
}

/** Return whether a field or an address would change a text. */
export function needsEscapes(text) {
  return /[\0\r]|[\ud800-\udfff]/u.test(text);
}
