// The result of a list: counts of everything, and the differences up to a limit.

import { ATTRIBUTES, differences } from "./compare.js";
import { escaped } from "./dom.js";

const KEPT = 20_000;
const KEPT_CHARACTERS = 64 * 1024 * 1024;

export class Outcome {
  constructor() {
    this.count = 0;
    this.same = 0;
    this.refusedByBoth = 0;
    this.refusedByBrowser = 0;
    this.refusedByWeburl = 0;
    this.byAttribute = Object.fromEntries(ATTRIBUTES.map((name) => [name, 0]));
    this.different = 0;
    this.kept = [];
    this.characters = 0;
  }

  /** Count one case with the attributes from both sides; null means that the side refuses. */
  add({ url, base, expected }, ours, theirs) {
    this.count += 1;
    const differing = differences(ours, theirs);
    if (!differing.length) {
      if (ours === null) this.refusedByBoth += 1;
      else this.same += 1;
      return;
    }
    this.different += 1;
    if (theirs === null) this.refusedByBrowser += 1;
    else if (ours === null) this.refusedByWeburl += 1;
    else for (const name of differing) this.byAttribute[name] += 1;
    const pick = (side) =>
      side && Object.fromEntries(differing.map((name) => [name, side[name]]));
    const found = { url, base, expected, weburl: pick(ours), browser: pick(theirs) };
    const size = JSON.stringify(found).length;
    if (this.kept.length >= KEPT || this.characters + size > KEPT_CHARACTERS) return;
    this.characters += size;
    this.kept.push(found);
  }

  get sentence() {
    const number = (value) => value.toLocaleString("en");
    return (
      `${number(this.count)} compared: ${number(this.same)} read the same, ` +
      `${number(this.refusedByBoth)} refused by both, ${number(this.different)} differ.`
    );
  }

  /** Return the report as JSON: each difference with the attributes that differ. */
  json() {
    return JSON.stringify(
      {
        browser: navigator.userAgent,
        count: this.count,
        same: this.same,
        refused_by_both: this.refusedByBoth,
        refused_by_browser_alone: this.refusedByBrowser,
        refused_by_weburl_alone: this.refusedByWeburl,
        different: this.different,
        different_by_attribute: this.byAttribute,
        differences_in_this_report: this.kept.length,
        differences: this.kept.map(({ url, base, expected, weburl, browser }) => ({
          input: url,
          base,
          ...(expected === undefined ? {} : { expected }),
          weburl,
          browser,
        })),
      },
      null,
      1,
    );
  }

  /** Return the report as CSV, with a line for each attribute that differs and escapes in texts. */
  csv() {
    const lines = [["input", "base", "attribute", "weburl", "browser", "expected_href"]];
    for (const { url, base, expected, weburl, browser } of this.kept) {
      const refused = weburl === null || browser === null;
      for (const name of refused ? ["href"] : Object.keys(weburl)) {
        lines.push([
          escaped(url),
          base === null ? "" : escaped(base),
          name,
          weburl === null ? "(refused)" : escaped(weburl[name]),
          browser === null ? "(refused)" : escaped(browser[name]),
          expected === undefined ? "" : expected === null ? "(refused)" : escaped(expected),
        ]);
      }
    }
    return lines.map((cells) => cells.map(cell).join(",")).join("\r\n") + "\r\n";
  }
}

/** Return a cell of CSV that a spreadsheet does not read as a formula. */
function cell(text) {
  const harmless = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
