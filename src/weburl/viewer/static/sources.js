// Reads lists from a field or a file, as lines or as JSON.

const LARGEST_JSON = 256 * 1024 * 1024;

/** A list: `cases()` yields { url, base, expected }; `done` of `total` is the progress. */
export class Source {
  constructor(base) {
    this.base = base;
    this.done = 0;
    this.total = 0;
    this.skipped = 0;
  }

  /** Return the list in a file, or in a text if the file is null. */
  static async of(file, text, base) {
    const source = new Source(base);
    const blob = file ?? new Blob([text]);
    source.total = blob.size;
    const beginning = (await blob.slice(0, 1024).text()).replace("\ufeff", "").trimStart();
    const named = file !== null && /\.json$/i.test(file.name);
    if (named || beginning.startsWith("[")) {
      const items = await source.readJSON(blob, named);
      if (items !== null) {
        source.cases = () => source.ofItems(items);
        return source;
      }
    }
    source.cases = file === null ? () => source.ofText(text) : () => source.ofLines(blob);
    return source;
  }

  /** Return the items of a JSON list, or null if it is not JSON and not `named` so. */
  async readJSON(blob, named) {
    if (blob.size > LARGEST_JSON) throw new Error("This JSON is too large; a list of lines may have any size.");
    try {
      const items = JSON.parse((await blob.text()).replace("\ufeff", ""));
      if (Array.isArray(items)) return items;
    } catch (error) {
      if (named) throw new Error("This file is not JSON.", { cause: error });
      return null;
    }
    throw new Error("This JSON is not a list.");
  }

  *ofItems(items) {
    this.total = items.length;
    // In web-platform-tests, text between the cases is a comment.
    const withCases = items.some((item) => typeof item?.input === "string");
    for (const item of items) {
      this.done += 1;
      const one = this.item(item, withCases);
      if (one === null) this.skipped += 1;
      else yield one;
    }
  }

  item(item, withCases) {
    if (typeof item === "string") {
      return withCases ? null : { url: item, base: this.base, expected: undefined };
    }
    if (Array.isArray(item)) {
      const [url, base = this.base] = item;
      const good = typeof url === "string" && (base === null || typeof base === "string");
      return good ? { url, base, expected: undefined } : null;
    }
    if (typeof item?.input !== "string") return null;
    const base = item.base === undefined ? this.base : item.base;
    if (base !== null && typeof base !== "string") return null;
    const expected = item.failure ? null : item.href;
    return { url: item.input, base, expected };
  }

  /** Yield the lines of a text without encoding it: UTF-8 would lose lone surrogates. */
  *ofText(text) {
    this.total = text.length;
    let start = 0;
    while (start < text.length) {
      const at = text.indexOf("\n", start);
      const end = at < 0 ? text.length : at;
      yield* this.line(text.slice(start, end));
      start = end + 1;
      this.done = Math.min(start, text.length);
    }
  }

  /** Yield the lines of a file, which is read piece by piece. */
  async *ofLines(blob) {
    const reader = blob.stream().getReader();
    const decoder = new TextDecoder();
    let pending = [];
    for (;;) {
      const { done, value } = await reader.read();
      const piece = done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = piece.split("\n");
      if (lines.length > 1) {
        pending.push(lines[0]);
        yield* this.line(pending.join(""));
        pending = [];
        for (const line of lines.slice(1, -1)) yield* this.line(line);
        pending.push(lines.at(-1));
      } else {
        pending.push(piece);
      }
      if (done) break;
      this.done += value.length;
    }
    yield* this.line(pending.join(""));
  }

  *line(text) {
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (line !== "") yield { url: line, base: this.base, expected: undefined };
    else if (text !== "") this.skipped += 1;
  }
}
